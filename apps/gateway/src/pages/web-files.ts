import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';

/** Headers of files whose names contain a content hash, so that they never change. */
export const assetHeaders = {
  vary: 'accept-encoding',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

/** Serves the files of the web app's build. The names of those in `assets` contain a content hash. */
export async function serveFiles(app: NestFastifyApplication, root: string): Promise<void> {
  if (!existsSync(root)) return;
  await app.register(fastifyStatic, {
    root,
    // One route for each file, because a wildcard would also match the addresses of pages.
    wildcard: false,
    index: false,
    globIgnore: ['**/index.html', '**/*.br', 'page-files.json', 'server/**'],
    preCompressed: true,
    // The library refuses ranges that a server should ignore (RFC 9110). Browsers need no ranges of these files.
    acceptRanges: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forever = path.includes(`${sep}assets${sep}`);
      void reply.header('vary', assetHeaders.vary);
      void reply.header('cache-control', forever ? assetHeaders['cache-control'] : 'no-cache');
    },
  });
}
