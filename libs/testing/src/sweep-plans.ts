import { Sweeper, Worker } from '@stoa/platform';
import { Client } from 'pg';
import { withClient } from '@stoa/system';

/** The number of rows in large tables. A million rows give the same plans but take minutes. */
export const sweepRows = Number(process.env['SWEEP_ROWS'] ?? 100_000);

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Plan[];
}

type Query = (first: unknown, ...rest: unknown[]) => unknown;

/** Records each distinct SQL statement of this process. Call it before the service under test connects. */
export function recordStatements(): Map<string, Statement> {
  const seen = new Map<string, Statement>();
  const prototype = Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function recorded(this: unknown, first: unknown, ...rest: unknown[]) {
    const { text, values } =
      typeof first === 'string' ? { text: first, values: undefined } : (first as Partial<Statement>);
    const given = values ?? (Array.isArray(rest[0]) ? (rest[0] as unknown[]) : []);
    if (text !== undefined) seen.set(text, { text, values: given });
    return query.call(this, first, ...rest);
  };
  return seen;
}

/** Runs one round of each sweeper among `instances` and returns their names. */
export async function runSweepers(instances: readonly unknown[]): Promise<string[]> {
  const sweepers = instances.filter((instance) => instance instanceof Sweeper);
  for (const sweeper of sweepers) await sweeper['sweep'](new AbortController().signal);
  return sweepers.map(({ constructor }) => constructor.name);
}

/** Starts a round of each worker among `instances` that waits for due rows of a table. */
export function wakeWorkers(instances: readonly unknown[]): void {
  for (const instance of instances)
    if (instance instanceof Worker && instance.table !== undefined) instance.wake();
}

/**
 * Lists the statements whose plan scans one of `tables` sequentially, each with the table. A scan with a limit and without
 * a filter stops early and does not count.
 */
export function sequentialScans(
  databaseUrl: string,
  statements: Iterable<Statement>,
  tables: readonly string[],
): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const found: string[] = [];
    for (const { text, values } of statements) {
      if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text)) continue;
      // A text of several statements has no values. Those after the first one only end the transaction.
      const [statement = text] = values.length === 0 ? text.split(';') : [text];
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (FORMAT JSON) ${statement}`,
        [...values],
      );
      const tablesRead = rows
        .flatMap((row) => row['QUERY PLAN'])
        .flatMap((explained) => scanned(explained.Plan));
      for (const table of tablesRead)
        if (tables.includes(table)) found.push(`${table}: ${text.replace(/\s+/g, ' ').trim()}`);
    }
    return found;
  });
}

function scanned(plan: Plan, isLimited = false): string[] {
  const { Plans: parts = [], 'Relation Name': table, Filter: filter } = plan;
  const isWhole = plan['Node Type'] === 'Seq Scan' && !(isLimited && filter === undefined);
  const below = parts.flatMap((part) => scanned(part, isLimited || plan['Node Type'] === 'Limit'));
  return isWhole && table !== undefined ? [table, ...below] : below;
}
