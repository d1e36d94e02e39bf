import type { Picture } from '@stoa/contracts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Html, html } from '../http/html.ts';

/** What the web app's build says about its pages; addresses that end in a slash stand for all below them. */
const PageFiles = z.record(
  z.string(),
  z.object({
    files: z.array(z.string()),
    pictureSizes: z.string().optional(),
    headerSizes: z.string().optional(),
  }),
);
export type PageFiles = z.infer<typeof PageFiles>;

/** What a page reads as soon as it is there. */
export interface FirstReads {
  /** Addresses of the API whose answers do not come with the page. */
  readonly missing?: readonly string[];
  /** The picture that fills most of the first screen, unless there is a header. */
  readonly picture?: Picture | null;
  /** The wide picture above a profile. */
  readonly header?: Picture | null;
}

/** What a page names for the browser to fetch. */
export interface Preloads {
  /** With the page. */
  readonly first: Html;
  /** With its code. */
  readonly code: Html;
}

export async function readPageFiles(webRoot: string): Promise<PageFiles> {
  return PageFiles.parse(JSON.parse(await readFile(join(webRoot, 'page-files.json'), 'utf8')));
}

/** Lets the browser fetch what a page is about to ask for while its code is still on the way. */
export function renderPreloads(
  known: PageFiles,
  path: string,
  { missing = [], picture, header }: FirstReads,
  mediaUrl: string,
): Preloads {
  const page = known[path] ?? known[path.replace(/(?<=.\/)[^/]+$/, '')];
  if (!page) return { first: html``, code: html`` };
  const { files, pictureSizes, headerSizes } = page;
  const data = missing.map(
    // The attribute makes the request the same as that of fetch, which then takes its answer.
    (address) => html`<link rel="preload" as="fetch" crossorigin href="${address}" />`,
  );
  const connection = pictureSizes
    ? html`<link rel="preconnect" href="${new URL(mediaUrl).origin}" />`
    : html``;
  // One picture alone is urgent, the one that the page shows by `eager`.
  const [urgent, sizes] = header && headerSizes ? [header, headerSizes] : [picture, pictureSizes];
  return {
    first: html`${data}${connection}${urgent && sizes ? pictureLink(urgent, sizes, mediaUrl) : html``}`,
    code: html`${files.map((file) => html`<link rel="modulepreload" href="${file}" fetchpriority="low" />`)}`,
  };
}

function pictureLink(picture: Picture, sizes: string, mediaUrl: string): Html {
  const set = picture.widths
    .toSorted((a, b) => a - b)
    .map((width) => `${mediaUrl}/${picture.path}/${width}.avif ${width}w`)
    .join(', ');
  return html`<link rel="preload" as="image" type="image/avif" imagesrcset="${set}" imagesizes="${sizes}" fetchpriority="high" />`;
}
