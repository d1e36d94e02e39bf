import { type Picture, pictureSrcset } from '@stoa/contracts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Html, html } from '../http/html.ts';

/** The files of each page of the web app, by path pattern. The build of the web app writes this list. */
const PageFiles = z.record(
  z.string(),
  z.object({
    files: z.array(z.string()),
    pictureSizes: z.string().optional(),
    headerSizes: z.string().optional(),
  }),
);
export type PageFiles = z.infer<typeof PageFiles>;

/** The data and pictures that a page loads first. */
export interface FirstReads {
  /** API addresses whose responses the page does not contain, so that the browser must request them. */
  readonly missing?: readonly string[];
  /** The picture that fills most of the first screen, unless there is a header picture. */
  readonly picture?: Picture | null;
  /** The wide header picture above a profile. */
  readonly header?: Picture | null;
}

/** The preload links of a page in two groups. */
export interface Preloads {
  /** Links that the browser should follow before anything else. */
  readonly first: Html;
  /** Links that are placed beside the scripts of the page. */
  readonly code: Html;
}

export async function readPageFiles(webRoot: string): Promise<PageFiles> {
  return PageFiles.parse(JSON.parse(await readFile(join(webRoot, 'page-files.json'), 'utf8')));
}

/** Renders preload links, so that the browser fetches data and pictures while it loads the code. */
export function renderPreloads(
  known: PageFiles,
  pattern: string,
  { missing = [], picture, header }: FirstReads,
  mediaUrl: string,
): Preloads {
  const page = known[pattern];
  if (!page) return { first: html``, code: html`` };
  const { files, pictureSizes, headerSizes } = page;
  const data = missing.map(
    // Only with `crossorigin` does the browser reuse the preloaded response for the later request.
    (address) => html`<link rel="preload" as="fetch" crossorigin href="${address}" />`,
  );
  const connection = pictureSizes
    ? html`<link rel="preconnect" href="${new URL(mediaUrl).origin}" />`
    : html``;
  // Only the picture on the first screen is urgent.
  const [urgent, sizes] = header && headerSizes ? [header, headerSizes] : [picture, pictureSizes];
  return {
    first: html`${data}${connection}${urgent && sizes ? pictureLink(urgent, sizes, mediaUrl) : html``}`,
    code: html`${files.map((file) => html`<link rel="modulepreload" href="${file}" fetchpriority="low" />`)}`,
  };
}

function pictureLink(picture: Picture, sizes: string, mediaUrl: string): Html {
  const set = pictureSrcset(mediaUrl, picture);
  return html`<link rel="preload" as="image" type="image/avif" imagesrcset="${set}" imagesizes="${sizes}" fetchpriority="high" />`;
}
