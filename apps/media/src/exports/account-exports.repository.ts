import { Caller, type Input, limits, media, type Output } from '@stoa/contracts';
import { isRequestDone, recordEvent, recordRequest } from '@stoa/messaging';
import { type LeasedRow, type LeasedRows, nextDueMs, putOff } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../database.ts';
import { type AccountExport, Prisma } from '../generated/prisma/client.ts';

/** An export whose archive must be made or removed. */
export type DueExport = LeasedRow &
  Pick<AccountExport, 'uid'> & {
    readonly isExpired: boolean;
    /** Whether a gateway has collected all records. */
    readonly isCollected: boolean;
  };

type Part = Input<typeof media.addToExport>;

const lifeHours = limits.exportHours;
const printed = Prisma.sql`jsonb_pretty(content) || E'\\n'`;

/**
 * Stores the state of each export. Steps are idempotent, because another replica repeats a step after a
 * crash. All times are by the database's clock.
 */
@Injectable()
export class AccountExports implements LeasedRows<DueExport> {
  readonly table = 'account_export';

  constructor(private readonly prisma: Database) {}

  /** Starts an export, unless another one of the account is being made or the daily limit is reached. */
  start(caller: Caller, requestId: string | undefined): Promise<{ id: string } | 'under way' | 'enough'> {
    const { uid } = caller;
    return this.prisma.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${uid}, 1))`;
      const isDone = await isRequestDone(tx, requestId);
      const begun =
        isDone && (await tx.accountExport.findFirst({ where: { uid }, orderBy: { requestedAt: 'desc' } }));
      if (begun) return { id: begun.id };
      const [known] = await tx.$queryRaw<{ made: number; making: number }[]>`
        SELECT count(*) FILTER (WHERE failed_at IS NULL)::int AS made,
               count(*) FILTER (WHERE ready_at IS NULL AND failed_at IS NULL)::int AS making
          FROM account_export WHERE uid = ${uid}::uuid AND requested_at > now() - interval '1 day'`;
      if (known?.making) return 'under way';
      if ((known?.made ?? 0) >= limits.exportsPerDay) return 'enough';
      if (!isDone) await recordRequest(tx, requestId);
      const id = randomUUID();
      await tx.$executeRaw`
        INSERT INTO account_export (id, uid, caller, remove_after)
        VALUES (${id}::uuid, ${uid}::uuid, ${JSON.stringify(caller)}::jsonb,
                now() + ${lifeHours}::int * interval '1 hour')`;
      return { id };
    });
  }

  /**
   * Leases an export to a gateway, which then collects the records. It deletes the records of an earlier
   * attempt, because this attempt may get other pages.
   */
  lease(): Promise<Output<typeof media.takeExport>['export']> {
    return this.prisma.$transaction(async (tx) => {
      const [row] = await tx.$queryRaw<{ id: string; attempt: number; caller: unknown }[]>`
      UPDATE account_export SET collect_attempts = collect_attempts + 1,
             collect_at = now() + ${limits.exportLeaseSeconds}::int * interval '1 second'
       WHERE id = (SELECT id FROM account_export
                    WHERE due_at IS NULL AND failed_at IS NULL AND caller IS NOT NULL
                      AND collect_at <= now() AND remove_after > now()
                    ORDER BY collect_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, collect_attempts AS attempt, caller`;
      if (!row) return null;
      // `add` updates the same row, so after this lock no gateway adds records of an earlier attempt.
      await tx.exportPart.deleteMany({ where: { exportId: row.id } });
      return { ...row, caller: Caller.parse(row.caller) };
    });
  }

  /** Adds a record and renews the lease. Returns false if the export no longer accepts this attempt. */
  async add({ id, attempt, name, content }: Part, uid: string): Promise<boolean> {
    const added = await this.prisma.$executeRaw`
      WITH leased AS (
        UPDATE account_export SET collect_at = now() + ${limits.exportLeaseSeconds}::int * interval '1 second'
         WHERE id = ${id}::uuid AND uid = ${uid}::uuid AND collect_attempts = ${attempt}::int
           AND due_at IS NULL AND failed_at IS NULL AND remove_after > now()
        RETURNING id)
      INSERT INTO export_part (export_id, name, content)
      SELECT id, ${name}, ${JSON.stringify(content)}::jsonb FROM leased
      ON CONFLICT (export_id, name) DO UPDATE SET content = excluded.content`;
    return added === 1;
  }

  /** Marks the records as complete. Returns false if the export no longer accepts this attempt. */
  async makeDue({ id, attempt }: Input<typeof media.makeExport>, uid: string): Promise<boolean> {
    const due = await this.prisma.$executeRaw`
      UPDATE account_export
         SET next_try_at = CASE WHEN due_at IS NULL THEN now() ELSE next_try_at END,
             due_at = coalesce(due_at, now()), caller = NULL
       WHERE id = ${id}::uuid AND uid = ${uid}::uuid AND collect_attempts = ${attempt}::int`;
    return due === 1;
  }

  /** The last requested export, unless it has expired. */
  async latest(uid: string): Promise<(AccountExport & { asOf: Date }) | null> {
    const [row] = await this.prisma.$queryRaw<(AccountExport & { asOf: Date })[]>`
      SELECT id, uid, ready_at AS "readyAt", failed_at AS "failedAt", remove_after AS "removeAfter", now() AS "asOf"
        FROM account_export WHERE uid = ${uid}::uuid AND remove_after > now()
       ORDER BY requested_at DESC LIMIT 1`;
    return row ?? null;
  }

  /** Milliseconds until the next attempt to make an export, or until the next one expires. */
  async nextDueMs(): Promise<number | null> {
    const all = { table: this.table, open: 'true' };
    const tryMs = await nextDueMs(this.prisma, all);
    const removeMs = await nextDueMs(this.prisma, { ...all, dueAt: 'remove_after' });
    return Math.min(tryMs ?? Infinity, removeMs ?? Infinity);
  }

  async take(leaseMs: number): Promise<DueExport | null> {
    const isDue = Prisma.sql`next_try_at < now() + interval '1 millisecond'`;
    const [due] = await this.prisma.$queryRaw<DueExport[]>`
      WITH making AS (
        SELECT id FROM account_export
         WHERE ready_at IS NULL AND failed_at IS NULL AND ${isDue}
           AND (due_at IS NOT NULL OR requested_at <= now() - ${limits.exportCollectHours}::int * interval '1 hour')
         ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED),
      over AS (
        SELECT id FROM account_export WHERE remove_after <= now() AND ${isDue}
         ORDER BY remove_after LIMIT 1 FOR UPDATE SKIP LOCKED)
      UPDATE account_export SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
       WHERE id = (SELECT id FROM making UNION ALL SELECT id FROM over LIMIT 1)
      RETURNING id, uid, attempts, next_try_at AS "leasedUntil", remove_after <= now() AS "isExpired",
                due_at IS NOT NULL AS "isCollected"`;
    return due ?? null;
  }

  putOff(lease: Pick<LeasedRow, 'id' | 'leasedUntil'>, ms: number): Promise<Date | null> {
    return putOff(this.prisma, this.table, lease, ms);
  }

  /** Names and sizes in bytes of the records, without their text, which could exceed the memory. */
  partsOf(id: string): Promise<{ name: string; size: number }[]> {
    return this.prisma.$queryRaw`
      SELECT name, octet_length(${printed})::int AS size FROM export_part WHERE export_id = ${id}::uuid ORDER BY name`;
  }

  /** A record as indented JSON, so that people can read it. */
  async textOf(id: string, name: string): Promise<string> {
    const [part] = await this.prisma.$queryRaw<{ text: string }[]>`
      SELECT ${printed} AS text FROM export_part WHERE export_id = ${id}::uuid AND name = ${name}`;
    if (!part) throw new Error(`the record ${name} no longer exists`);
    return part.text;
  }

  /** Seconds since the oldest unfinished export could be made, for an alert; 0 if there is none. */
  async oldestAge(): Promise<number> {
    const [oldest] = await this.prisma.$queryRaw<{ age: number }[]>`
      SELECT coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age FROM account_export
       WHERE ready_at IS NULL AND failed_at IS NULL AND remove_after > now()`;
    return oldest?.age ?? 0;
  }

  /** Records the final outcome, publishes it as an event, and deletes the records. */
  end({ id, uid, attempts }: DueExport, outcome: 'ready' | 'failed'): Promise<void> {
    return this.prisma.$transaction(async (tx) => {
      const column = Prisma.raw(outcome === 'ready' ? 'ready_at' : 'failed_at');
      const [ended] = await tx.$queryRaw<{ removeAfter: Date }[]>`
        UPDATE account_export SET ${column} = now(), next_try_at = now(), caller = NULL,
               remove_after = now() + ${lifeHours}::int * interval '1 hour'
         WHERE id = ${id}::uuid AND attempts = ${attempts} AND remove_after > now()
        RETURNING remove_after AS "removeAfter"`;
      if (!ended) return;
      await tx.exportPart.deleteMany({ where: { exportId: id } });
      const expiresAt = outcome === 'ready' ? ended.removeAfter.toISOString() : null;
      await recordEvent(tx, media.exportEnded, { uid, id, expiresAt });
    });
  }

  async remove({ id }: DueExport): Promise<void> {
    await this.prisma.accountExport.deleteMany({ where: { id } });
  }
}

/**
 * Makes the exports of a closed account expire. A replica that is making one of them removes it afterwards.
 */
export async function expireExports(tx: Prisma.TransactionClient, uid: string): Promise<void> {
  await tx.$executeRaw`UPDATE account_export SET remove_after = now(), caller = NULL WHERE uid = ${uid}::uuid`;
  await tx.exportPart.deleteMany({ where: { export: { uid } } });
}
