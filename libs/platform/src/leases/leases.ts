import type { SqlReader } from '@stoa/messaging';

/** Rows of a table that become work at a certain time, each for one replica at a time. */
export interface DueRows<Row> {
  readonly table: string;
  /** In how many milliseconds the next row is due; null when no row waits for its time. */
  nextDueMs(): Promise<number | null>;
  /** Takes the next row that is due, for `leaseMs`; null when there is none. */
  take(leaseMs: number): Promise<Row | null>;
}

export interface LeasedRow {
  readonly id: string;
  /** How often the row was taken, including this time. */
  readonly attempts: number;
  /** The end of the lease, which also identifies it. */
  readonly leasedUntil: Date;
}

type Lease = Pick<LeasedRow, 'id' | 'leasedUntil'>;

export interface LeasedRows<Row extends LeasedRow> extends DueRows<Row> {
  /** Puts off the next try of a row by `ms`. @returns The new end of the lease; null when the lease was lost. */
  putOff(lease: Lease, ms: number): Promise<Date | null>;
}

export interface LeaseTable {
  /** With the columns `id`, `attempts` and `next_try_at`. */
  readonly table: string;
  /** An SQL condition for rows that are work, where the row is `due`. An index on `next_try_at` must contain these rows. */
  readonly open: string;
  /** A further condition for taking an open row. */
  readonly ready?: string;
  /** The columns of a taken row in SQL, where the row is `taken`. */
  readonly columns: string;
}

const later = (ms: string) => `now() + ${ms}::float8 * interval '1 millisecond'`;
// The column rounds to whole milliseconds: a time that was stored just now can be slightly ahead.
const isDue = `next_try_at < now() + interval '1 millisecond'`;

/**
 * Leases on the rows of one table, by the clock of the database. A taken row is not due before its lease ends, so a
 * crash only delays it. A lease also ends when another statement sets `next_try_at`.
 */
export class Leases<Row extends LeasedRow> implements LeasedRows<Row> {
  constructor(
    private readonly client: SqlReader,
    private readonly rows: LeaseTable,
  ) {}

  get table(): string {
    return this.rows.table;
  }

  nextDueMs(): Promise<number | null> {
    return nextDueMs(this.client, this.rows);
  }

  async take(leaseMs: number): Promise<Row | null> {
    const { table, open, ready = 'true', columns } = this.rows;
    const [taken] = await this.client.$queryRawUnsafe<Row[]>(
      `UPDATE ${table} AS taken SET attempts = attempts + 1, next_try_at = ${later('$1')}
        WHERE id = (SELECT id FROM ${table} AS due WHERE (${open}) AND ${isDue} AND (${ready})
                     ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id, attempts, next_try_at AS "leasedUntil", ${columns}`,
      leaseMs,
    );
    return taken ?? null;
  }

  putOff(lease: Lease, ms: number): Promise<Date | null> {
    return putOff(this.client, this.table, lease, ms);
  }
}

/** In how many milliseconds the next open row is due; null when no row waits for its time. */
export async function nextDueMs(
  client: SqlReader,
  { table, open, dueAt = 'next_try_at' }: Pick<LeaseTable, 'table' | 'open'> & { dueAt?: string },
): Promise<number | null> {
  const [next] = await client.$queryRawUnsafe<{ ms: number | null }[]>(
    `SELECT extract(epoch FROM min(${dueAt}) - now())::float8 * 1000 AS ms
       FROM ${table} AS due WHERE (${open}) AND ${dueAt} >= now() + interval '1 millisecond'`,
  );
  return next?.ms ?? null;
}

/** Puts off the next try of a row of a table with these columns. @see LeasedRows.putOff */
export async function putOff(
  client: SqlReader,
  table: string,
  { id, leasedUntil }: Lease,
  ms: number,
): Promise<Date | null> {
  const [held] = await client.$queryRawUnsafe<{ until: Date }[]>(
    `UPDATE ${table} SET next_try_at = ${later('$3')}
      WHERE id = $1::uuid AND next_try_at = $2::timestamptz RETURNING next_try_at AS until`,
    ...[id, leasedUntil, ms],
  );
  return held?.until ?? null;
}
