import { maxEntries } from '@stoa/platform';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';

/** How long a proof counts, at most: a key that was taken back is refused as much later than without. */
const provedMs = 60_000;

/**
 * Which tokens a key of the realm was found to have signed lately, so that each is not proved anew for every request of
 * its owner. It knows their hashes and nothing that they say; whether a session has ended is asked each time.
 */
export class ProvedTokens {
  readonly #until = new LRUCache<string, number>(maxEntries(10_000));

  /** @param expiresAt Seconds since 1970. */
  add(token: string, expiresAt: number): void {
    this.#until.set(hashOf(token), Math.min(expiresAt * 1000, Date.now() + provedMs));
  }

  includes(token: string): boolean {
    return Date.now() < (this.#until.get(hashOf(token)) ?? 0);
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');
