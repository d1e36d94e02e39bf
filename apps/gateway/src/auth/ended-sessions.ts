import type { EndedSession } from '@stoa/contracts';
import { maxEntries } from '@stoa/platform';
import { LRUCache } from 'lru-cache';

/** How long an access token of the realm lives: `accessTokenLifespan` of deploy/keycloak/realm.json. */
export const tokenLifetimeMs = 300_000;
/** Keycloak's clock and ours may differ, and an announcement takes its time. */
const marginMs = 60_000;
/** How long an ended session must be remembered: then every token of it has run out. */
export const retentionMs = tokenLifetimeMs + marginMs;
// 300 log-outs a second. Beyond it the oldest are forgotten, whose tokens have the least time left.
const most = 100_000;
// The clock that tokens are dated by.
const ends = { ...maxEntries(most), perf: { now: () => Date.now() } };

/** Whom a token speaks for and when it was signed, in seconds since 1970. */
export interface SignedToken {
  readonly uid: string;
  readonly sid: string;
  readonly iat: number;
}

/** The sessions that ended lately, in memory. What can have no live token any more is forgotten. */
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
   * Whether a token is of a session that is over. Keycloak gives the next log-in of a browser the id of its last session, so
   * a token that was signed after the end is of a new one. Tokens know whole seconds: one of the very second of the end
   * counts as older.
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

/** A repeat of an earlier end must not bring back what a later one took. */
function keepLatest(ends: LRUCache<string, number>, key: string, ended: number, ttl: number): void {
  if ((ends.get(key) ?? -Infinity) < ended) ends.set(key, ended, { ttl });
}
