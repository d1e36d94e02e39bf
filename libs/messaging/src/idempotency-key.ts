import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';

const current = new AsyncLocalStorage<string>();

/** Runs work for a request that its client repeats under `key`. Writes that it sends to services carry the key. */
export function withIdempotencyKey<T>(key: string, work: () => T): T {
  return current.run(key, work);
}

/** The key of the request in progress; undefined if its client sent none. */
export function idempotencyKey(): string | undefined {
  return current.getStore();
}

/** The id of a resource that a request creates, the same for each repeat: a UUID of version 8 (RFC 9562) from a hash of `of`. */
export function idFromKey(...of: readonly string[]): string {
  const hex = hash('sha256', of.join(' '), 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
