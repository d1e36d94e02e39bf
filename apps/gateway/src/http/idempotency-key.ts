import { Refusal, withIdempotencyKey } from '@stoa/messaging';
import type { FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';

/** A plain key, or a quoted one as in draft-ietf-httpapi-idempotency-key-header. */
const oneKey = /^([\w-]{16,64}|"[\w-]{16,64}")$/;

/** Describes the header in the OpenAPI document. Every write accepts it. */
export const idempotencyKeyParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A random key of this write, such as a UUID. A repeat with the same key, address and body has no further effect. It returns the current state of the record.',
  schema: { type: 'string', pattern: '^([A-Za-z0-9_-]{16,64}|"[A-Za-z0-9_-]{16,64}")$' },
} as const;

/**
 * Runs the rest of the request with its idempotency key. The key is hashed with method, address, `If-Match` and body, so that
 * a key which a client reuses by mistake does not suppress another write.
 */
export function withKeyOf(request: FastifyRequest, next: (error?: Error) => void): void {
  const { headers, method, url, body = null } = request;
  const sent = headers['idempotency-key'];
  if (sent === undefined || method === 'GET' || method === 'HEAD') return next();
  if (typeof sent !== 'string' || !oneKey.test(sent))
    return next(
      new Refusal('invalid_input', 'Idempotency-Key has 16 to 64 letters, digits, hyphens or underscores.'),
    );
  const what = JSON.stringify([sent.replaceAll('"', ''), method, url, headers['if-match'] ?? null, body]);
  withIdempotencyKey(hash('sha256', what, 'base64url'), next);
}
