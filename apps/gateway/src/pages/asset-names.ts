/** Content types by file extension, the same as those of `@fastify/static`. */
const contentTypes: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** File names of the web app's build, which contain eight characters of a content hash. */
const hashed = /^(?=.{12,120}$)[\w-]+(?:\.[\w-]+)*-[\w-]{8}\.([a-z\d]+)$/;

/** The content type for a file name; undefined if the build produces no such name. */
export function assetType(name: string): string | undefined {
  const [, end = ''] = hashed.exec(name) ?? [];
  return Object.hasOwn(contentTypes, end) ? contentTypes[end] : undefined;
}
