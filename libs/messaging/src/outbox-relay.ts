import { metrics, observeTogether } from '@stoa/telemetry';
import { JetStreamApiError } from '@nats-io/jetstream';
import {
  InvalidArgumentError,
  type NatsConnection,
  PermissionViolationError,
  RequestError,
} from '@nats-io/transport-node';
import { Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, type QueryResult } from 'pg';
import { BusPresence } from './bus-presence.ts';
import { timedSocket } from './dial.ts';
import { EventPublisher, type StoredEvent } from './event-publisher.ts';
import { type OutboxBacklog, outboxBacklog, outboxChannel } from './outbox.ts';

// Any constant will do: the lock lives in this service's own database.
const relayLock = 7_307_001;
const batchSize = 200;
const pollMs = 2000;
/** Events that are recorded within this time of the first travel with it: each batch costs its own statements and commit. */
const gatherMs = 25;
/** Longer than a batch may take to be published; a relay that says nothing for as long loses its batch to another. */
const batchTimeoutMs = 8000;
/** For a publication by a replica whose last batch failed: what is wrong may be its own way to the stream. */
const doubtfulMs = 2000;
/** Refusals by the server after which an event is set aside; with the pauses that double, after a quarter of an hour. */
const maxAttempts = 10;

export interface OutboxRelayOptions {
  /** The database that holds the table `outbox`. */
  readonly databaseUrl: string;
  /** Asks the same database over another connection, for what is measured: the relay's own may be what is stuck. */
  readonly query: (sql: string) => Promise<OutboxBacklog[]>;
}

type Row = StoredEvent & { readonly position: string };
type TakenBatch = [QueryResult, QueryResult<{ mine: boolean }>, QueryResult<Row>];

/**
 * Takes the next batch until the end of the transaction, unless another replica has one in hand. One round trip, yet each
 * statement sees what was committed before it: the rows are read after the lock is had, without those just deleted.
 */
const takeBatch = (size: number) => `
  BEGIN;
  SELECT pg_try_advisory_xact_lock(${relayLock}) AS mine;
  SELECT id AS position, event_id AS id, subject, payload::text AS payload, headers
    FROM outbox WHERE retry_at IS NULL OR retry_at <= now() ORDER BY outbox.id LIMIT ${size}`;

/**
 * Moves recorded events from the outbox table to the stream, in order, a batch at a time: published together, deleted
 * together. Replicas compete for each batch, so that one that dies holds up nothing but the batch it has in hand. One that
 * NATS is away from takes none, and lets go of the one it has: what was sent of it comes once, by its id. An event that the
 * server refuses is tried again later and lets the others pass; its receivers go by versions.
 */
export class OutboxRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(OutboxRelay.name);
  readonly #connection: Promise<NatsConnection>;
  readonly #options: OutboxRelayOptions;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #pending = false;
  /** Whether the last batch could not be published: the next one is a single event, of a server that answers. */
  #doubtful = false;
  #awake: () => void = () => undefined;
  #unobserve: () => void = () => undefined;

  /** @param connection May still be on its way: events wait until it is there. */
  constructor(connection: NatsConnection | Promise<NatsConnection>, options: OutboxRelayOptions) {
    this.#connection = Promise.resolve(connection);
    this.#options = options;
  }

  onApplicationBootstrap(): void {
    this.#running = this.#run();
    const gauges = {
      rows: metrics.outboxRows,
      age: metrics.outboxAge,
      setAside: metrics.outboxSetAside,
    };
    this.#unobserve = observeTogether(gauges, () => outboxBacklog(this.#options.query));
  }

  /** Publishes what is recorded by now and stops. */
  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    const connection = await this.#connection.catch(() => undefined);
    // The process stops, and NATS was never there.
    if (!connection) return;
    const publisher = new EventPublisher(connection);
    const presence = new BusPresence(connection, () => this.#wake());
    while (!this.#stopping.signal.aborted) {
      const client = this.#client();
      try {
        await client.connect();
        await this.#relay(client, publisher, presence);
      } catch (error) {
        this.#logger.warn(`relaying events failed, trying again: ${String(error)}`);
        await pause(1000, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  #client(): Client {
    const client = new Client({
      connectionString: this.#options.databaseUrl,
      application_name: 'outbox-relay',
      connectionTimeoutMillis: 5000,
      stream: timedSocket,
      query_timeout: batchTimeoutMs,
      // Frees the lock of a relay whose node is gone: the server would notice that only after minutes.
      idle_in_transaction_session_timeout: batchTimeoutMs,
      keepAlive: true,
      // What a crash brings back is sent once more under the same id, so nobody waits for the disk to forget it.
      options: '-c synchronous_commit=off',
    });
    client.on('error', (error) => {
      this.#logger.warn(`the relay lost its database: ${error.message}`);
      this.#wake();
    });
    client.on('notification', () => this.#wake());
    return client;
  }

  async #relay(client: Client, publisher: EventPublisher, presence: BusPresence): Promise<void> {
    await client.query(`LISTEN ${outboxChannel}`);
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      this.#pending = false;
      while (await this.#relayBatch(client, publisher, presence));
      await this.#nextWake();
      await pause(gatherMs, undefined, { signal }).catch(() => undefined);
    }
    while (await this.#relayBatch(client, publisher, presence));
  }

  /** Whether there may be more to publish at once. */
  async #relayBatch(client: Client, publisher: EventPublisher, presence: BusPresence): Promise<boolean> {
    if (!(this.#doubtful ? await presence.answers() : presence.isConnected)) return false;
    const size = this.#doubtful ? 1 : batchSize;
    try {
      const [, locks, events] = (await client.query(takeBatch(size))) as unknown as TakenBatch;
      const rows = locks.rows[0]?.mine ? events.rows : [];
      const results = rows.length > 0 ? await this.#publish(publisher, presence, rows) : [];
      const settled = rows.filter((_, index) => !results[index]).map(({ position }) => position);
      const failed = rows.flatMap((row, index) => (results[index] ? [{ row, error: results[index] }] : []));
      for (const { row, error } of failed.filter((one) => isRefusal(one.error)))
        await this.#postpone(client, row, error);
      // Numbers of our own database: several statements in one round trip take no parameters.
      await client.query(`DELETE FROM outbox WHERE id = ANY('{${settled.join()}}'); COMMIT`);
      const [outage] = failed.filter((one) => !isRefusal(one.error));
      if (outage) this.#logger.warn(`${outage.row.subject} is not published yet: ${String(outage.error)}`);
      if (rows.length > 0) this.#doubtful = outage !== undefined;
      return !outage && rows.length === size;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }

  /** What each of them failed with, undefined for those on the stream: at once for all others when NATS is away. */
  async #publish(publisher: EventPublisher, presence: BusPresence, rows: readonly Row[]): Promise<unknown[]> {
    const answered = new AbortController();
    const givenUp = presence.requireUntil(answered.signal).then(() => new Promise<never>(() => undefined));
    givenUp.catch(() => undefined);
    try {
      const timeoutMs = this.#doubtful ? doubtfulMs : undefined;
      return await publisher.publishAll(rows, { timeoutMs, givenUp });
    } finally {
      answered.abort();
    }
  }

  async #postpone(client: Client, { position, id, subject }: Row, error: unknown): Promise<void> {
    const { rows } = await client.query<{ attempts: number }>(
      `UPDATE outbox SET attempts = attempts + 1, failure = $2,
              retry_at = CASE WHEN attempts + 1 >= ${maxAttempts} THEN 'infinity'
                              ELSE now() + interval '1 second' * 2 ^ attempts END
        WHERE id = $1 RETURNING attempts`,
      [position, String(error).slice(0, 500)],
    );
    const attempts = rows[0]?.attempts ?? 0;
    const message = `${subject} ${id} is refused, attempt ${attempts}: ${String(error)}`;
    if (attempts < maxAttempts) this.#logger.warn(message);
    else this.#logger.error(`${message}. It is set aside.`);
  }

  // The poll finds what a lost notification would leave behind.
  async #nextWake(): Promise<void> {
    if (this.#pending || this.#stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awake = resolve;
    const timer = setTimeout(resolve, pollMs);
    await promise;
    clearTimeout(timer);
  }

  // Remembered, since it may come while a batch is being published.
  #wake(): void {
    this.#pending = true;
    this.#awake();
  }
}

/** Whether this event was refused, as it would be for ever, rather than the stream being away. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  if (cause instanceof JetStreamApiError) return cause.status >= 400 && cause.status < 500;
  return cause instanceof PermissionViolationError || cause instanceof InvalidArgumentError;
}
