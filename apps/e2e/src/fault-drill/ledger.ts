import type { Creator, Offering } from '@stoa/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchJson } from '../api.ts';
import type { TestCreator } from '../creators.ts';

/** What became of a write, as whoever asked for it knows. */
export type Outcome = 'acknowledged' | 'unknown';

interface Edit {
  readonly began: number;
  /** Infinite while nobody has said that it was done. */
  ended: number;
}

interface LedgeredOffering {
  readonly owner: TestCreator;
  readonly title: string;
  readonly file: boolean;
  created: Outcome;
  deleted?: Outcome;
}

const readWithinMs = 60_000;
const betweenReadsMs = 500;

/** A machine that is busy may let one read wait for too long. */
async function surely<T>(read: () => Promise<T>): Promise<T> {
  const since = performance.now();
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (performance.now() - since > readWithinMs) throw error;
      await pause(betweenReadsMs);
    }
  }
}

/** What was written, and what the writers were told of it. */
export class Ledger {
  readonly creators: TestCreator[] = [];
  readonly edits = new Map<TestCreator, Edit[]>();
  readonly offerings = new Map<string, LedgeredOffering>();
  readonly messages = new Map<string, Outcome>();

  /** How many writes were acknowledged, by what they are. */
  acknowledged(): Record<string, number> {
    const offerings = [...this.offerings.values()];
    return {
      'sign-ups': this.creators.length,
      'edits of profiles': [...this.edits.values()].flat().filter(({ ended }) => ended < Infinity).length,
      'new offerings': offerings.filter(({ created }) => created === 'acknowledged').length,
      'deleted offerings': offerings.filter(({ deleted }) => deleted === 'acknowledged').length,
      'contact messages': [...this.messages.values()].filter((outcome) => outcome === 'acknowledged').length,
    };
  }

  /** Everything that is not as who wrote it was told; the system is at rest. `token` is one that is still valid. */
  async violations(token: (creator: TestCreator) => Promise<string>): Promise<string[]> {
    const found: string[] = [];
    for (const creator of this.creators) {
      const { me, items } = await surely(async () => {
        const options = { token: await token(creator) };
        const own = await fetchJson<{ items: Offering[] }>('GET', '/api/me/offerings', options);
        return { me: await fetchJson<Creator>('GET', '/api/me', options), items: own.items };
      });
      if (me.uid !== creator.uid) found.push(`the account of ${creator.username} is another one`);
      found.push(...this.#violationsOfProfile(creator, me));
      found.push(...this.#violationsOfOfferings(creator, items));
    }
    return found;
  }

  #violationsOfProfile(creator: TestCreator, { username, bio }: Creator): string[] {
    const edits = this.edits.get(creator) ?? [];
    if (edits.length === 0) return [];
    const number = Number(bio.split(' ').at(-1));
    const last = bio === '' ? { ended: 0 } : edits[number];
    if (!last) return [`the profile of ${username} says what nobody wrote: ${bio}`];
    // Side by side either may be the last; one that began when this had been acknowledged has to be there.
    const lost = edits.filter(({ began, ended }) => ended < Infinity && began > last.ended).length;
    return lost > 0 ? [`${lost} edits of ${username} were acknowledged after the one that is there`] : [];
  }

  #violationsOfOfferings(creator: TestCreator, items: readonly Offering[]): string[] {
    const found: string[] = [];
    const own = [...this.offerings].filter(([, { owner }]) => owner === creator);
    for (const [id, { title, file, created, deleted }] of own) {
      const there = items.filter((item) => item.title === title);
      const [first] = there;
      if (there.length > 1) found.push(`the offering ${id} is there ${there.length} times`);
      if (first && first.id !== id) found.push(`the offering ${id} is there as ${first.id}`);
      if (first && deleted === 'acknowledged') found.push(`the deleted offering ${id} is there`);
      if (!first && created === 'acknowledged' && !deleted) found.push(`the offering ${id} is lost`);
      if (first && file && !first.file) found.push(`the offering ${id} has lost its file`);
    }
    const titles = new Set(own.map(([, { title }]) => title));
    const strange = items.filter(({ title }) => !titles.has(title));
    return [...found, ...strange.map(({ id }) => `nobody wrote the offering ${id}`)];
  }
}
