/** By the end of their names, as `@fastify/static` calls them where they lie in a folder. */
const contentTypes: Readonly<Record<string, string>> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  avif: 'image/avif',
  png: 'image/png',
  woff2: 'font/woff2',
};

/** As the web app's build names them, with eight letters of a hash of their content. */
const hashed = /^(?=.{12,120}$)[\w-]+(?:\.[\w-]+)*-[\w-]{8}\.([a-z\d]+)$/;

/** What the content of a file of that name is; undefined for a name that no build gives. */
export function assetType(name: string): string | undefined {
  const [, end = ''] = hashed.exec(name) ?? [];
  return Object.hasOwn(contentTypes, end) ? contentTypes[end] : undefined;
}
