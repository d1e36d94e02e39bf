import { timedSocket } from '@stoa/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Client, type QueryResultRow } from 'pg';
import { ServiceConfig } from './environment.ts';

const deadlineMs = 1500;
/**
 * Pause between two attempts to connect, in milliseconds. The jitter keeps replicas from querying a starting
 * database at the same time.
 */
const reconnectMs = () => 1000 + Math.random() * 1000;

interface Listener {
  readonly channel: string;
  readonly notify: (payload?: string) => void;
}

/**
 * The platform's own connection, for health checks, metrics of the database and its notifications. It is no pool,
 * because the pool's metrics describe the pool of the service.
 */
@Injectable()
export class Database implements OnApplicationShutdown {
  readonly #url: string;
  #client: Promise<Client> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #listener: Listener | undefined;
  #reconnection: NodeJS.Timeout | undefined;

  constructor(@Inject(ServiceConfig) config: ServiceConfig) {
    this.#url = config.DATABASE_URL;
  }

  async ping(): Promise<void> {
    await this.query('SELECT 1');
  }

  /**
   * Whether a handler failed because the database is away. Its error shows it, or it does not answer a ping. An error that
   * the statement itself may cause, such as a timeout or a conflict, counts only without an answer to the ping.
   */
  async isOutage(error: unknown): Promise<boolean> {
    if (isDatabaseOutage(error) && !mayBeStatementFault(error)) return true;
    return this.ping().then(
      () => false,
      () => true,
    );
  }

  /**
   * Calls `notify` with the payload of each notification on `channel`. After each reconnect it calls it without one,
   * because earlier notifications may be lost. It reconnects until the application stops.
   */
  listen(channel: string, notify: Listener['notify']): void {
    this.#listener = { channel, notify };
    // Replaces the connection, because the existing one does not listen to the channel.
    if (this.#client) this.#forget(this.#client);
    else this.#connectSoon(0);
  }

  // Runs one query after the other: metrics and probes may query concurrently, and pg deprecates queueing on
  // a connection.
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
    this.#listener = undefined;
    clearTimeout(this.#reconnection);
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
    // A connection that breaks while idle is replaced at the next query, which reports the error.
    client.on('error', () => this.#forget(this.#client));
    await client.connect();
    if (this.#listener) await listen(client, this.#listener);
    return client;
  }

  #forget(client: Promise<Client> | undefined): void {
    if (this.#client === client) this.#client = undefined;
    client?.then((known) => known.end()).catch(() => undefined);
    this.#connectSoon(reconnectMs());
  }

  #connectSoon(ms: number): void {
    if (!this.#listener) return;
    clearTimeout(this.#reconnection);
    this.#reconnection = setTimeout(() => void this.ping().catch(() => undefined), ms);
  }
}

async function listen(client: Client, { channel, notify }: Listener): Promise<void> {
  client.on('notification', ({ payload }) => notify(payload));
  try {
    await client.query(`LISTEN ${channel}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
  notify();
}

// Prisma's codes for a database that is unreachable, silent or out of connections, and for transactions that timed
// out or conflicted. A transaction takes milliseconds, so a timeout means a stall.
const prisma = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'];
// Codes of Node and Postgres for the same outages: stopping, starting, out of connections, disk or memory, or
// a lock timeout. Deadlocks, conflicts and a demoted primary succeed when retried.
const node = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'];
const postgres = ['57P01', '57P02', '57P03', '53100', '53200', '53300', '57014', '40001', '40P01', '25006'];
const outages = [...prisma, ...node, ...postgres];

// The messages of errors without such a code: from pg and its pool, and Postgres's codes that Prisma passes on in
// text.
const outageMessages =
  /^timeout exceeded when trying to connect|^Connection terminated|not queryable$|^Query read timeout|Code: `(08\w{3}|53\w{3}|57P0[1-5]|25P0[34]|40001|40P01|25006|57014)`|(sorry, )?too many clients|^the database system is |^terminating connection/;

// Error kinds of Prisma's driver adapters for the same outages: a failed raw query has only the code P2010.
const adapterKinds = [
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
];

/** Whether an error of a query means that the database is away or overloaded, rather than that the query was wrong. */
export function isDatabaseOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && outages.includes(String(error.code))) return true;
  return outageMessages.test(error.message) || adapterKinds.includes(adapterKindOf(error));
}

// Postgres's error classes for wrong values: a row named twice (21), data (22), a missing value, a failed check, and
// errors of triggers. Other codes of class 23 may not recur. Below are Prisma's codes for the same.
const wrongValues = /^(21\w{3}|22\w{3}|23502|23514|P0001)$/;
const wrongValuesInPrisma = ['P2000', 'P2007', 'P2011', 'P2019', 'P2020', 'P2023'];

/** Whether a query failed because of its values, as every retry would. */
export function isRefusedValue(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const [, inMessage = code] = /Code: `(\w{5})`/.exec(error.message) ?? [];
  return wrongValues.test(inMessage) || wrongValuesInPrisma.includes(code);
}

const ownFaults = ['P1008', 'P2028', 'P2034', '57014', '40001', '40P01', '25P03'];
const ownFaultMessages = /^Query read timeout|Code: `(25P0[34]|40001|40P01|57014)`/;

/** Whether a query that failed as in an outage may always fail: it takes too long, or others conflict with it. */
function mayBeStatementFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && ownFaults.includes(String(error.code))) return true;
  return ownFaultMessages.test(error.message) || adapterKindOf(error) === 'TransactionWriteConflict';
}

function adapterKindOf(error: Error & { meta?: unknown }): string {
  const meta = error.meta as { driverAdapterError?: { cause?: { kind?: unknown } } } | undefined;
  return String(meta?.driverAdapterError?.cause?.kind);
}
