/** A profile for the pages of others, and how editors are told of it. */
export const embedPath = (username: string) => `/embed/${encodeURIComponent(username)}`;
export const oembedPath = '/oembed';
/** In pixels: face, name and three offerings. */
export const embedSize = { width: 480, height: 470 } as const;

/** What somebody puts into a page of theirs. `site` is the public address without a slash at its end. */
export const embedCode = (
  site: string,
  username: string,
  { width, height }: { readonly width: number; readonly height: number } = embedSize,
) =>
  `<iframe src="${site}${embedPath(username)}" title="@${encodeURIComponent(username)} on Stoa" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy"></iframe>`;
