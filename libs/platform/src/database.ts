import { timedSocket } from '@stoa/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Client, type QueryResultRow } from 'pg';
import { ServiceConfig } from './environment.ts';

const deadlineMs = 1500;

/**
 * One connection of the platform's own, to know whether the database answers and what waits in it. No pool: the only
 * one of the process is the repository's, and the pool's metrics speak of that.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(@Inject(ServiceConfig) config: ServiceConfig) {
    this.#url = config.DATABASE_URL;
  }

  async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  /**
   * Whether an error of a handler is the fault of the database, and of no statement: it says so itself, or the database does
   * not answer. A statement that is cancelled or in the way of others may be one that always is.
   */
  async isOutage(error: unknown): Promise<boolean> {
    if (isDatabaseOutage(error) && !mayBeItsOwnFault(error)) return true;
    return this.ping().then(
      () => false,
      () => true,
    );
  }

  // One at a time: the gauges' read and a probe may come at once, and pg gives up queueing on a connection.
  query<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
    const answer = this.#last.then(() => this.#ask<Row>(sql));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask<Row extends QueryResultRow>(sql: string): Promise<Row[]> {
    const connecting = (this.#client ??= this.#connect());
    try {
      return (await (await connecting).query<Row>(sql)).rows;
    } catch (error) {
      this.#forget(connecting);
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#client) this.#forget(this.#client);
  }

  async #connect(): Promise<Client> {
    const client = new Client({
      connectionString: this.#url,
      application_name: 'platform',
      connectionTimeoutMillis: deadlineMs,
      stream: timedSocket,
      query_timeout: deadlineMs,
    });
    // A connection that breaks while idle is replaced at the next question, which then tells.
    client.on('error', () => this.#forget(this.#client));
    await client.connect();
    return client;
  }

  #forget(client: Promise<Client> | undefined): void {
    if (this.#client === client) this.#client = undefined;
    client?.then((known) => known.end()).catch(() => undefined);
  }
}

// Prisma's codes for a database that cannot be reached, does not answer, hung up or has no connection left, and for a
// transaction that outlasted its time: a stall, since ours take milliseconds. P2034 is a transaction that others were in the way of.
const prisma = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'];
// The same in Node's codes, and in Postgres's: shutting down, starting, out of connections, disk or memory, too slow to
// wait for, and what works when it is tried again: a deadlock, a conflict of transactions, a server that has just become or
// ceased to be the primary and takes no writes.
const node = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'];
const postgres = ['57P01', '57P02', '57P03', '53100', '53200', '53300', '57014', '40001', '40P01', '25006'];
const outages = [...prisma, ...node, ...postgres];

// Errors that say so in words only: of pg and its pool to a query, and Postgres' own codes, handed on by Prisma, for a
// connection that broke, a server that stops, starts or has no room, and a session that was ended for its silence.
const outagesInWords =
  /^timeout exceeded when trying to connect|^Connection terminated|not queryable$|^Query read timeout|Code: `(08\w{3}|53\w{3}|57P0[1-5]|25P0[34]|40001|40P01|25006|57014)`|(sorry, )?too many clients|^the database system is |^terminating connection/;

// The same as the kinds of Prisma's driver adapters: of a raw query it hands on no code but P2010.
const adapterKinds = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
];

/** Whether an error of a query means that the database is away or overrun, rather than that the query was wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && outages.includes(String(error.code))) return true;
  return outagesInWords.test(error.message) || adapterKinds.includes(adapterKindOf(error));
}

// Postgres's classes of what is wrong with the values of a statement: a row named twice (21), data (22), a missing value and a
// failed check (of 23, whose other codes a later try may not meet), and what a trigger raises. Prisma's codes of the same.
const wrongValues = /^(21\w{3}|22\w{3}|23502|23514|P0001)$/;
const wrongValuesInPrisma = ['P2000', 'P2007', 'P2011', 'P2019', 'P2020', 'P2023'];

/** Whether a query failed by the values it was given, as it would with each try. */
export function isRefusedValue(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const [, inWords = code] = /Code: `(\w{5})`/.exec(error.message) ?? [];
  return wrongValues.test(inWords) || wrongValuesInPrisma.includes(code);
}

const ownFaults = ['P1008', 'P2028', 'P2034', '57014', '40001', '40P01', '25P03'];
const ownFaultsInWords = /^Query read timeout|Code: `(25P0[34]|40001|40P01|57014)`/;

/** Whether a query that failed as in an outage may fail so for ever: it takes too long, or others are in its way. */
function mayBeItsOwnFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && ownFaults.includes(String(error.code))) return true;
  return ownFaultsInWords.test(error.message) || adapterKindOf(error) === 'TransactionWriteConflict';
}

// What took all the time that it may: whoever asks again gives an overrun database the same once more.
const spent = ['P1008', 'P2024', 'P2028', '57014'];
const spentInWords = /^Query read timeout|^timeout exceeded when trying to connect|Code: `57014`/;

/** Whether an outage may be over when it is asked again: not one that the whole time of a statement went by in. */
export function isPassingOutage(error: unknown): boolean {
  if (!isDatabaseOutage(error)) return false;
  const { code, message } = error as Error & { code?: unknown };
  if (spent.includes(String(code)) || spentInWords.test(message)) return false;
  return adapterKindOf(error as Error) !== 'SocketTimeout';
}

function adapterKindOf(error: Error & { meta?: unknown }): string {
  const meta = error.meta as { driverAdapterError?: { cause?: { kind?: unknown } } } | undefined;
  return String(meta?.driverAdapterError?.cause?.kind);
}
