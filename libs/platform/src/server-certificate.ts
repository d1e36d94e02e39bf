import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const certificateEnvironment = z.object({
  TLS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of tls.crt and tls.key. With it the public ports serve HTTPS only, without it HTTP.'),
});

/**
 * Accepts requests without `Host`, which Node would refuse without our headers; `hasOneHost` refuses them
 * instead.
 */
const everyRequest = { requireHostHeader: false };

/**
 * The options of a public Fastify server: HTTPS if a certificate is set, which is read once. It has no precise type,
 * because Fastify's types distinguish both kinds of servers and callers need not.
 */
export function serverOptions({ TLS_DIR: folder }: z.infer<typeof certificateEnvironment>): object {
  if (!folder) return { http: everyRequest };
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name)));
  return { https: { ...everyRequest, cert, key, minVersion: 'TLSv1.2' } };
}
