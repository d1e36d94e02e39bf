import type { Creator, Offering } from '@stoa/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchJson } from '@stoa/e2e/api';
import type { offeringFields, TestCreator } from '@stoa/e2e/creators';
import type { DrillVisit } from './drill-visits.ts';
import { type Edit, violationsOfEdits } from './edits.ts';
import type { DrillLeaver } from './leavers.ts';

/** What the author of a write knows about its effect. */
export type Outcome = 'acknowledged' | 'unknown';

/** The fields of an offering, without its picture and files. */
type OfferingFields = ReturnType<typeof offeringFields>;

export interface RecordedOffering {
  readonly owner: TestCreator;
  readonly fields: OfferingFields;
  readonly file: boolean;
  readonly edits: Edit[];
  /** Number of pending edits; an offering with pending edits is not deleted. */
  editing: number;
  /** The version that its owner saw last; undefined after a conflict. */
  version: number | undefined;
  created: Outcome;
  deleted?: Outcome;
}

const readWithinMs = 60_000;
const betweenReadsMs = 500;

/** Retries, because a busy machine may delay a single read for too long. */
async function withRetries<T>(read: () => Promise<T>): Promise<T> {
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

/** The writes of a drill, and what their authors know about them. */
export class Ledger {
  readonly creators: TestCreator[] = [];
  readonly edits = new Map<TestCreator, Edit[]>();
  readonly offerings = new Map<string, RecordedOffering>();
  readonly messages = new Map<string, Outcome>();
  readonly visits = new Map<string, DrillVisit>();
  readonly leavers: DrillLeaver[] = [];

  /** Number of acknowledged writes, by kind. */
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
      visits: acknowledged([...this.visits.values()].map(({ outcome }) => outcome)),
      'deleted accounts': acknowledged(this.leavers.map(({ outcome }) => outcome)),
    };
  }

  /** All differences between the idle system and the ledger. `token` must return a valid one. */
  async violations(token: (creator: TestCreator) => Promise<string>): Promise<string[]> {
    const found: string[] = [];
    for (const creator of this.creators) {
      const { me, items } = await withRetries(async () => {
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
      if (first && file && first.files.length === 0) found.push(`the offering ${id} has lost its file`);
      if (first)
        found.push(...violationsOfEdits(`the offering ${id}`, edits, first.description, fields.description));
    }
    const titles = new Set(own.map(([, { fields }]) => fields.title));
    const strange = items.filter(({ title }) => !titles.has(title));
    return [...found, ...strange.map(({ id }) => `no user wrote the offering ${id}`)];
  }
}
