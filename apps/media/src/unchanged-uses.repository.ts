import type { SqlReader } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import type { Slot } from './attachment-slots.ts';
import type { Owner } from './media.repository.ts';

/** What an event says of a record; no slots where one statement cannot tell whether it says anything new. */
interface Told {
  readonly owner: Owner;
  readonly slots: readonly Slot[];
}

interface Waiting extends Told {
  readonly settle: (isUnchanged: Promise<boolean>) => void;
  /** Runs in the trace of its event, with the time that it has. */
  readonly asTold: <T>(work: () => T) => T;
}

/** As many as are handled at once; a statement for more would only be longer. */
const toldTogether = 64;

/**
 * What events say of their records, $1: of each that uses what it used before, notes the version, and lets go of the time for
 * which its uploads are held. Cards of all of them, $2, go in $3 ms unless they are asked for again; those that go sooner are
 * not written anew. Rows are locked in one order, or two replicas could wait for each other.
 */
export const noteUnchanged = `
  WITH told AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS told (owner_id uuid, version int, slots int, owner_kind text, upload_id uuid)),
  same AS (
    SELECT told.* FROM told JOIN attachment AS a USING (owner_id, owner_kind)
     WHERE a.upload_id IS NOT DISTINCT FROM told.upload_id AND a.version < told.version
     ORDER BY owner_id, owner_kind FOR UPDATE OF a),
  unchanged AS (SELECT owner_id FROM same GROUP BY owner_id, slots HAVING count(*) = slots),
  noted AS (
    UPDATE attachment AS a SET version = same.version,
           noted_at = CASE WHEN a.upload_id IS NULL THEN now() ELSE a.noted_at END
      FROM same
     WHERE a.owner_id = same.owner_id AND a.owner_kind = same.owner_kind
       AND a.owner_id IN (SELECT owner_id FROM unchanged)
    RETURNING a.owner_id),
  unheld AS (
    UPDATE upload SET held_until = NULL
     WHERE held_until IS NOT NULL
       AND id IN (SELECT upload_id FROM same WHERE owner_id IN (SELECT owner_id FROM unchanged))),
  outdated AS (
    UPDATE preview_card SET remove_after = now() + $3::float8 * interval '1 millisecond'
     WHERE remove_after > now() + $3::float8 * interval '1 millisecond'
       AND (uid = ANY ($2::uuid[]) OR owner_id = ANY ($2::uuid[])))
  SELECT owner_id AS id, count(*)::int AS slots FROM noted GROUP BY owner_id`;

/**
 * Notes of records that they use what they used before, as most edits leave them. What is told while a statement is under way
 * waits for it and goes together: a busy service does one statement for many events.
 */
export class UnchangedUses {
  private waiting: Waiting[] = [];
  private isUnderWay = false;

  /** @param outdatedMs For so long cards are kept that may show what was changed. */
  constructor(
    private readonly database: SqlReader,
    private readonly outdatedMs: number,
  ) {}

  /** Whether the record uses what it used before, and nothing newer was said of it. Its cards go in any case. */
  note(owner: Owner, slots: readonly Slot[]): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.waiting.push({ owner, slots, settle: resolve, asTold: AsyncLocalStorage.snapshot() });
    if (!this.isUnderWay) void this.sendAll();
    return promise;
  }

  private async sendAll(): Promise<void> {
    this.isUnderWay = true;
    // After all events of this turn of the loop.
    await turn();
    while (this.waiting.length > 0) {
      const [first, ...rest] = this.taken();
      if (!first) break;
      await first.asTold(() => this.send([first, ...rest]));
    }
    this.isUnderWay = false;
  }

  /** The next ones, each record once: of two events of one the statement would note any. */
  private taken(): Waiting[] {
    const batch = new Map<string, Waiting>();
    for (const one of this.waiting)
      if (batch.size < toldTogether && !batch.has(one.owner.id)) batch.set(one.owner.id, one);
    const taken = new Set(batch.values());
    this.waiting = this.waiting.filter((one) => !taken.has(one));
    return [...taken];
  }

  private async send(batch: readonly Waiting[]): Promise<void> {
    try {
      const unchanged = await this.ask(batch);
      for (const { owner, slots, settle } of batch)
        settle(Promise.resolve(slots.length > 0 && unchanged.get(owner.id) === slots.length));
    } catch (error) {
      if (batch.length === 1 || isDatabaseOutage(error)) {
        for (const { settle } of batch) settle(Promise.reject(error as Error));
        return;
      }
      // One of them may be what failed: each by itself then.
      for (const one of batch) await one.asTold(() => this.send([one]));
    }
  }

  /** How many slots were noted of each. */
  private async ask(batch: readonly Told[]): Promise<Map<string, number>> {
    const told = batch.flatMap(({ owner, slots }) =>
      slots.map(({ ownerKind, uploadId }) => ({
        ...{ owner_id: owner.id, version: owner.version, slots: slots.length },
        ...{ owner_kind: ownerKind, upload_id: uploadId },
      })),
    );
    const owners = batch.map(({ owner }) => owner.id);
    const rows = await this.database.$queryRawUnsafe<{ id: string; slots: number }[]>(
      noteUnchanged,
      JSON.stringify(told),
      owners,
      this.outdatedMs,
    );
    return new Map(rows.map(({ id, slots }) => [id, slots]));
  }
}
