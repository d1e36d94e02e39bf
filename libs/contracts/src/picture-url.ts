/** The part of a `Picture` that determines its URLs. */
interface PictureFiles {
  readonly path: string;
  readonly widths: readonly number[];
}

/** The URL of one file of a picture, by default the widest. `mediaUrl` has no trailing slash. */
export function pictureUrl(
  mediaUrl: string,
  { path, widths }: PictureFiles,
  { width = Math.max(...widths), format = 'webp' }: { width?: number; format?: 'avif' | 'webp' } = {},
): string {
  return `${mediaUrl}/${path}/${width}.${format}`;
}

/** The `srcset` of a picture with all its widths. */
export function pictureSrcset(mediaUrl: string, picture: PictureFiles): string {
  return picture.widths
    .toSorted((a, b) => a - b)
    .map((width) => `${pictureUrl(mediaUrl, picture, { width, format: 'avif' })} ${width}w`)
    .join(', ');
}
