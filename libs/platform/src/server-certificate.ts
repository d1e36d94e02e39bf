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

/**
 * What makes a Fastify server answer HTTPS: the certificate that the process is given, read once. Without a type of its
 * own, since Fastify's types tell both kinds of servers apart and callers here need not.
 */
export function serverCertificate({ TLS_DIR: folder }: z.infer<typeof certificateEnvironment>): object {
  if (!folder) return {};
  const [cert, key] = ['tls.crt', 'tls.key'].map((name) => readFileSync(join(folder, name)));
  return { https: { cert, key, minVersion: 'TLSv1.2' } };
}
