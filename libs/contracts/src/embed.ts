/** The page of a profile for iframes on other sites. */
export const embedPath = (username: string) => `/embed/${encodeURIComponent(username)}`;
/** The oEmbed endpoint (oembed.com), from which editors of other sites read the embed code. */
export const oembedPath = '/oembed';
/** In pixels, for the picture, the name and three offerings. */
export const embedSize = { width: 480, height: 470 } as const;

/** The HTML that embeds a profile in another site. `site` is the public URL of Stoa without a trailing slash. */
export const embedCode = (
  site: string,
  username: string,
  { width, height }: { readonly width: number; readonly height: number } = embedSize,
) =>
  `<iframe src="${site}${embedPath(username)}" title="@${encodeURIComponent(username)} on Stoa" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy"></iframe>`;
