import type { EndedSession } from '@stoa/contracts';
import { maxEntries } from '@stoa/platform';
import { LRUCache } from 'lru-cache';

/** Lifetime of an access token: `accessTokenLifespan` of deploy/keycloak/realm.json. */
export const tokenLifetimeMs = 300_000;
/** Allows for clock skew to Keycloak and for the delay of events. */
const marginMs = 60_000;
/** Retention of an ended session. After it every token of the session has expired. */
export const retentionMs = tokenLifetimeMs + marginMs;
// Suffices for 270 log-outs a second. Beyond that the oldest are evicted, whose tokens expire first.
const most = 100_000;
// The wall clock, since tokens and events contain its times.
const ends = { ...maxEntries(most), perf: { now: () => Date.now() } };

/** The claims of a token. `iat` is in seconds since 1970. */
export interface SignedToken {
  readonly uid: string;
  readonly sid: string;
  readonly iat: number;
}

/** The recently ended sessions, in memory. */
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
   * Whether a token belongs to an ended session. Keycloak reuses the session id for the next log-in of a browser, so a token
   * signed after the end belongs to a new session. Tokens contain whole seconds, so one of the same second counts as revoked.
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

/** A repeated earlier event must not replace a later one. */
function keepLatest(ends: LRUCache<string, number>, key: string, ended: number, ttl: number): void {
  if ((ends.get(key) ?? -Infinity) < ended) ends.set(key, ended, { ttl });
}
