import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a process reads that is asked over HTTP by others than its own machine. */
export const certificateEnvironment = z.object({
  TLS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of tls.crt and tls.key, with which the public ports answer HTTPS alone; HTTP without.'),
});

/** Node would answer a request without `Host` by itself, without a header of ours: `hasOneHost` refuses it. */
const everyRequest = { requireHostHeader: false };

/**
 * The options of a public Fastify server: HTTPS where the process is given a certificate, which is read once. Without a type of
 * its own, since Fastify's types tell both kinds of servers apart and callers here need not.
 */
export function serverOptions({ TLS_DIR: folder }: z.infer<typeof certificateEnvironment>): object {
  if (!folder) return { http: everyRequest };
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name)));
  return { https: { ...everyRequest, cert, key, minVersion: 'TLSv1.2' } };
}
