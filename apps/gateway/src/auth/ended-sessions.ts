import type { EndedSession } from '@stoa/contracts';
import { maxEntries } from '@stoa/platform';
import { LRUCache } from 'lru-cache';

/** Lifetime of an access token in milliseconds: `accessTokenLifespan` in deploy/keycloak/realm.json. */
export const tokenLifetimeMs = 300_000;
/** Allows for a clock difference to Keycloak and for late events. */
const marginMs = 60_000;
/** How long an ended session is remembered. Later all of its tokens have expired. */
export const retentionMs = tokenLifetimeMs + marginMs;
// Enough for 270 log-outs a second. With more, the oldest entries are evicted, whose tokens expire first.
const most = 100_000;
// Uses `Date.now`, because tokens and events contain such times.
const ends = { ...maxEntries(most), perf: { now: () => Date.now() } };

/** The claims of an access token. `iat` (issued at) is in seconds since 1970. */
export interface SignedToken {
  readonly uid: string;
  readonly sid: string;
  readonly iat: number;
}

/** Remembers recently ended sessions in memory. */
export class EndedSessions {
  readonly #sessions = new LRUCache<string, number>(ends);
  readonly #accounts = new LRUCache<string, number>(ends);
  #everybody = -Infinity;

  add({ uid, sid, at }: EndedSession): void {
    const ended = Date.parse(at);
    const ttl = ended + retentionMs - Date.now();
    if (ttl <= 0) return;
    if (sid !== null) keepLatest(this.#sessions, sid, ended, ttl);
    else if (uid === null) this.#everybody = Math.max(this.#everybody, ended);
    else keepLatest(this.#accounts, uid, ended, ttl);
  }

  /**
   * Whether the token was signed before its session ended. Keycloak reuses the session id for the next log-in of a browser,
   * so a later token is valid. Tokens have whole seconds; one of the same second counts as ended.
   */
  includes({ uid, sid, iat }: SignedToken): boolean {
    const ended = Math.max(
      this.#sessions.get(sid) ?? -Infinity,
      this.#accounts.get(uid) ?? -Infinity,
      this.#everybody,
    );
    return iat * 1000 <= ended;
  }
}

/** Stores the later of two ends, because NATS may repeat an earlier event. */
function keepLatest(ends: LRUCache<string, number>, key: string, ended: number, ttl: number): void {
  if ((ends.get(key) ?? -Infinity) < ended) ends.set(key, ended, { ttl });
}
