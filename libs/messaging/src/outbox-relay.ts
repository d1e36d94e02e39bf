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

// The key of the relay's advisory lock. Any constant serves, because each service has its own database.
const relayLock = 7_307_001;
const batchSize = 200;
/**
 * Pause between two polls in milliseconds, for lost notifications and for retries. The jitter spreads the
 * replicas.
 */
const pollMs = () => 4000 + Math.random() * 2000;
/**
 * Milliseconds in which recorded events share a batch, because each batch costs its own statements and
 * commit.
 */
const gatherMs = 25;
/**
 * Milliseconds for a batch, longer than its publication. A relay that is silent for this long loses its batch
 * to another replica.
 */
const batchTimeoutMs = 8000;
/** Timeout of a publication after a failed batch: this replica's own connection to the stream may be at fault. */
const doubtfulMs = 2000;
/** Milliseconds that a shutdown publishes. Another replica, or the next start, publishes the rest. */
const stopMs = 5000;
/** Refusals by the server before an event is set aside; with the doubling pauses this takes a quarter of an hour. */
const maxAttempts = 10;

export interface OutboxRelayOptions {
  readonly databaseUrl: string;
  /** Queries the same database over another connection, for metrics: the relay's own may hang. */
  readonly query: (sql: string) => Promise<OutboxBacklog[]>;
}

type Row = StoredEvent & { readonly position: string };
type TakenBatch = [QueryResult, QueryResult<{ mine: boolean }>, QueryResult<Row>];

/**
 * Takes the next batch until the end of the transaction, unless another replica holds the lock. The statements share one
 * round trip, but each sees all earlier commits. Rows deleted by the previous holder of the lock are therefore not read.
 */
const takeBatch = (size: number) => `
  BEGIN;
  SELECT pg_try_advisory_xact_lock(${relayLock}) AS mine;
  SELECT id AS position, event_id AS id, subject, payload::text AS payload, headers
    FROM outbox WHERE retry_at IS NULL OR retry_at <= now() ORDER BY outbox.id LIMIT ${size}`;

/**
 * Moves recorded events from the outbox table to the stream, in order. A batch is published together and deleted
 * together. Replicas compete for each batch, so a dead one delays only its own batch. A replica without NATS takes no
 * batch and releases the one it holds; the stream drops duplicates by event id. An event that the server refuses is
 * retried later, and later events pass it; receivers compare versions.
 */
export class OutboxRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger(OutboxRelay.name);
  readonly #connection: Promise<NatsConnection>;
  readonly #options: OutboxRelayOptions;
  readonly #stopping = new AbortController();
  /** Whether the shutdown has given up its wait for pending events. */
  #isLate = false;
  #running: Promise<void> | undefined;
  #pending = false;
  /** Whether the last batch failed. The next batch is then a single event, sent once NATS answers. */
  #doubtful = false;
  #endPause: () => void = () => undefined;
  #unobserve: () => void = () => undefined;

  /** @param connection May still be pending: events wait until it opens. */
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

  /** Publishes the events recorded so far, as time allows, and stops. */
  async onApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    this.#unobserve();
    this.#wake();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#isLate = true;
      late.resolve();
    }, stopMs);
    await Promise.race([this.#running, late.promise]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    const connection = await this.#connection.catch(() => undefined);
    // NATS was never reachable before the process stops, so no event can be published.
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
      // Frees the lock of a relay whose node vanished: the server alone would notice that after minutes.
      idle_in_transaction_session_timeout: batchTimeoutMs,
      keepAlive: true,
      // A commit need not wait for the disk: a row that a crash restores is published again under the same id.
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
    while (!this.#isLate && (await this.#relayBatch(client, publisher, presence)));
  }

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
      const [outage] = failed.filter((one) => !isRefusal(one.error));
      // Wakes another replica once per outage: if NATS is away for all replicas, they would otherwise wake
      // each other without a pause.
      const notify = outage && !this.#doubtful ? `NOTIFY ${outboxChannel};` : '';
      // Event ids are numbers of this database, so the text is safe. Several statements in one round trip
      // cannot have parameters.
      await client.query(`DELETE FROM outbox WHERE id = ANY('{${settled.join()}}'); ${notify} COMMIT`);
      if (outage) this.#logger.warn(`${outage.row.subject} is not published yet: ${String(outage.error)}`);
      if (rows.length > 0) this.#doubtful = outage !== undefined;
      return !outage && rows.length === size;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  }

  /** The error of each event, undefined for a stored one. When NATS is lost, all pending events fail immediately. */
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

  async #nextWake(): Promise<void> {
    if (this.#pending || this.#stopping.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endPause = resolve;
    const timer = setTimeout(resolve, pollMs());
    await promise;
    clearTimeout(timer);
  }

  // Stores the wish, because a notification may come while a batch is being published.
  #wake(): void {
    this.#pending = true;
    this.#endPause();
  }
}

/** Whether the server refused this event, as it always would, rather than being away. */
function isRefusal(error: unknown): boolean {
  const cause = error instanceof RequestError && error.cause ? error.cause : error;
  if (cause instanceof JetStreamApiError) return cause.status >= 400 && cause.status < 500;
  return cause instanceof PermissionViolationError || cause instanceof InvalidArgumentError;
}
