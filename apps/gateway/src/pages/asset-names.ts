/** Content types by file extension, equal to those of `@fastify/static`. */
const contentTypes: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** The file names of the web app's build, which contain eight characters of a content hash. */
const hashed = /^(?=.{12,120}$)[\w-]+(?:\.[\w-]+)*-[\w-]{8}\.([a-z\d]+)$/;

/** The content type of a file by its name; undefined for a name that no build produces. */
export function assetType(name: string): string | undefined {
  const [, end = ''] = hashed.exec(name) ?? [];
  return Object.hasOwn(contentTypes, end) ? contentTypes[end] : undefined;
}
