import type { Creator } from '@stoa/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchApi, fetchJson } from '@stoa/e2e/api';
import { makeCreator, makeOffering, saveProfile, type TestCreator } from '@stoa/e2e/creators';

/** A write that was answered with success, and the time of the answer by `Date.now()`. */
export interface AcknowledgedWrite {
  readonly at: number;
  readonly username: string;
  /** The number at the end of the profile's bio, or the id of an offering. */
  readonly wrote: number | string;
}

const betweenMs = 150;
/** Edits of the profile between two offerings, each with its own picture. */
const editsBetween = 8;

/** Creators who each write one thing after the other, and the record of their acknowledged writes. */
export class Ledger {
  readonly entries: AcknowledgedWrite[] = [];
  readonly #creators: readonly TestCreator[];
  #writing: Promise<unknown> | undefined;
  #going = true;

  private constructor(creators: readonly TestCreator[]) {
    this.#creators = creators;
  }

  static async open(writers: number): Promise<Ledger> {
    const creators: TestCreator[] = [];
    for (let made = 0; made < writers; made += 1) creators.push(await makeCreator());
    return new Ledger(creators);
  }

  start(): void {
    this.#writing = Promise.all(this.#creators.map((creator) => this.#write(creator)));
    // `stop` reports the error.
    this.#writing.catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#going = false;
    await this.#writing;
  }

  /** The entries whose write is missing. */
  async missing(entries: readonly AcknowledgedWrite[]): Promise<AcknowledgedWrite[]> {
    const there = new Map<string, { edits: number; offerings: Set<string> }>();
    for (const { username } of this.#creators) {
      const { bio } = await fetchJson<Creator>('GET', `/api/creators/${username}`);
      const { items } = await fetchJson<{ items: { id: string }[] }>(
        'GET',
        `/api/creators/${username}/offerings`,
      );
      there.set(username, {
        edits: Number(bio.split(' ').at(-1)),
        offerings: new Set(items.map(({ id }) => id)),
      });
    }
    return entries.filter(({ username, wrote }) => {
      const found = there.get(username);
      // A later edit includes the earlier ones.
      return typeof wrote === 'number' ? !(found && found.edits >= wrote) : !found?.offerings.has(wrote);
    });
  }

  /** Whether a profile is served, a session opens, and Keycloak lists sessions. */
  async works(): Promise<boolean> {
    const [creator] = this.#creators;
    if (!creator) return false;
    const { token, username } = creator;
    try {
      const page = await fetchApi('GET', `/profile/${username}`);
      if (page.status !== 200 || !(await fetchApi('POST', '/api/session', { token })).ok) return false;
      const sessions = await fetchApi('GET', '/api/account/sessions', { token });
      return sessions.ok;
    } catch {
      return false;
    }
  }

  async #write(creator: TestCreator): Promise<void> {
    const { token, username, displayName } = creator;
    for (let number = 1; this.#going; number += 1) {
      if (number % editsBetween === 0) {
        const { id } = await makeOffering(token);
        this.entries.push({ at: Date.now(), username, wrote: id });
      } else {
        await saveProfile(token, { displayName, contactBy: 'email', bio: `Edit ${number}` });
        this.entries.push({ at: Date.now(), username, wrote: number });
      }
      await pause(betweenMs);
    }
  }
}
