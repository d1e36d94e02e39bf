import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { existsSync } from 'node:fs';
import { sep } from 'node:path';

/** The headers of files with a content hash in their name, which never change. */
export const assetHeaders = {
  vary: 'accept-encoding',
  'cache-control': 'public, max-age=31536000, immutable',
} as const;

/** Serves the SPA's built files; those under assets/ are hashed. */
export async function serveFiles(app: NestFastifyApplication, root: string): Promise<void> {
  if (!existsSync(root)) return;
  await app.register(fastifyStatic, {
    root,
    // One route per file, since a wildcard would match the addresses of the SPA.
    wildcard: false,
    index: false,
    globIgnore: ['**/index.html', '**/*.br', 'page-files.json', 'server/**'],
    preCompressed: true,
    // Its parser refuses ranges that a server should ignore (RFC 9110). Browsers need no ranges of these files.
    acceptRanges: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const forever = path.includes(`${sep}assets${sep}`);
      void reply.header('vary', assetHeaders.vary);
      void reply.header('cache-control', forever ? assetHeaders['cache-control'] : 'no-cache');
    },
  });
}
