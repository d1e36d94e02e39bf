import type { Creator, Offering } from '@stoa/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchJson } from '../api.ts';
import type { offeringFields, TestCreator } from '../creators.ts';
import type { DrillVisit } from './drill-visits.ts';
import { type Edit, violationsOfEdits } from './edits.ts';
import type { DrillLeaver } from './leavers.ts';

/** What became of a write, as whoever asked for it knows. */
export type Outcome = 'acknowledged' | 'unknown';

/** What an offering was made with, but for its picture and file. */
type OfferingFields = ReturnType<typeof offeringFields>;

export interface LedgeredOffering {
  readonly owner: TestCreator;
  readonly fields: OfferingFields;
  readonly file: boolean;
  readonly edits: Edit[];
  /** Edits that are under way: who edits an offering does not delete it. */
  editing: number;
  /** As its owner saw it last; undefined where they were told that there is another. */
  version: number | undefined;
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
  readonly visits = new Map<string, DrillVisit>();
  readonly leavers: DrillLeaver[] = [];

  /** How many writes were acknowledged, by what they are. */
  acknowledged(): Record<string, number> {
    const offerings = [...this.offerings.values()];
    const acknowledged = (outcomes: readonly Outcome[]) =>
      outcomes.filter((outcome) => outcome === 'acknowledged').length;
    const done = (edits: readonly Edit[]) => edits.filter(({ ended }) => ended < Infinity).length;
    return {
      'sign-ups': this.creators.length,
      'edits of profiles': done([...this.edits.values()].flat()),
      'new offerings': acknowledged(offerings.map(({ created }) => created)),
      'edits of offerings': done(offerings.flatMap(({ edits }) => edits)),
      'deleted offerings': acknowledged(offerings.flatMap(({ deleted }) => deleted ?? [])),
      'contact messages': acknowledged([...this.messages.values()]),
      visits: acknowledged([...this.visits.values()].map(({ told }) => told)),
      'deleted accounts': acknowledged(this.leavers.map(({ asked }) => asked)),
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
      const edits = this.edits.get(creator) ?? [];
      found.push(...violationsOfEdits(`the profile of ${creator.username}`, edits, me.bio));
      found.push(...this.#violationsOfOfferings(creator, items));
    }
    return found;
  }

  #violationsOfOfferings(creator: TestCreator, items: readonly Offering[]): string[] {
    const found: string[] = [];
    const own = [...this.offerings].filter(([, { owner }]) => owner === creator);
    for (const [id, { fields, file, edits, created, deleted }] of own) {
      const there = items.filter(({ title }) => title === fields.title);
      const [first] = there;
      if (there.length > 1) found.push(`the offering ${id} is there ${there.length} times`);
      if (first && first.id !== id) found.push(`the offering ${id} is there as ${first.id}`);
      if (first && deleted === 'acknowledged') found.push(`the deleted offering ${id} is there`);
      if (!first && created === 'acknowledged' && !deleted) found.push(`the offering ${id} is lost`);
      if (first && file && !first.file) found.push(`the offering ${id} has lost its file`);
      if (first)
        found.push(...violationsOfEdits(`the offering ${id}`, edits, first.description, fields.description));
    }
    const titles = new Set(own.map(([, { fields }]) => fields.title));
    const strange = items.filter(({ title }) => !titles.has(title));
    return [...found, ...strange.map(({ id }) => `nobody wrote the offering ${id}`)];
  }
}
