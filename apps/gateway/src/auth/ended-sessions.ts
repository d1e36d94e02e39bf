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
    if (sid !== null) this.#sessions.set(sid, ended, { ttl });
    else if (uid === null) this.#everybody = Math.max(this.#everybody, ended);
    // A repeat of an earlier end must not bring back what a later one took.
    else if ((this.#accounts.get(uid) ?? -Infinity) < ended) this.#accounts.set(uid, ended, { ttl });
  }

  /**
   * Whether a token is of a session that is over. Tokens know whole seconds, so one of the very second in which all
   * sessions of the account ended counts as older.
   */
  includes({ uid, sid, iat }: SignedToken): boolean {
    if (this.#sessions.has(sid)) return true;
    const ended = Math.max(this.#accounts.get(uid) ?? -Infinity, this.#everybody);
    return iat * 1000 <= ended;
  }
}
