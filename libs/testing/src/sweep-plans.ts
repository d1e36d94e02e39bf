import { Sweeper } from '@stoa/platform';
import { Client } from 'pg';
import { withClient } from '@stoa/system';

/** Rows of the tables that are large in production: a million shows the same plans and takes minutes. */
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

/** What this process asks Postgres from now on, each statement once. To be called before the service under test connects. */
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

/** One round of each of these that is a sweeper; answers their names. */
export async function sweepEach(instances: readonly unknown[]): Promise<string[]> {
  const sweepers = instances.filter((instance) => instance instanceof Sweeper);
  for (const sweeper of sweepers) await sweeper['sweep'](new AbortController().signal);
  return sweepers.map(({ constructor }) => constructor.name);
}

/**
 * Of these statements those that read one of `tables` from its beginning to its end, with the table. A statement that takes
 * the first rows it finds, whichever they are, reads no more than these.
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
      // Several in one round trip take no values; what follows the first one ends its transaction.
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
