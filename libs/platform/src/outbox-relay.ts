import { Bus, EventPublisher, type StoredEvent } from '@stoa/messaging';
import { metrics, observeTogether } from '@stoa/telemetry';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Client } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from './database.ts';
import { ServiceConfig } from './environment.ts';
import { outboxBacklog, outboxChannel } from './outbox.ts';

// Any constant will do: the lock lives in this service's own database.
const relayLock = 7_307_001;
const batchSize = 100;
const pollMs = 2000;
const inboxDays = 60;

/**
 * Moves recorded events from the outbox table to the stream, in order. Replicas compete for an advisory
 * lock, so that one of them relays; when it dies its session ends and another takes over.
 */
@Injectable()
export class OutboxRelay {
  readonly #logger = new Logger(OutboxRelay.name);
  readonly #publisher: EventPublisher;
  readonly #url: string;
  #stopped = new AbortController();
  #running: Promise<void> | undefined;
  #pending = false;
  #awake: () => void = () => undefined;
  #unobserve: () => void = () => undefined;

  constructor(
    @Inject(Bus) bus: Bus,
    @Inject(ServiceConfig) config: ServiceConfig,
    @Inject(Database) private readonly database: Database,
  ) {
    this.#publisher = new EventPublisher(bus.connection);
    this.#url = config.DATABASE_URL;
  }

  start(): void {
    this.#running = this.#run();
    // Asked of the database, not of the loop above, which may be what is stuck.
    const gauges = { rows: metrics.outboxRows, age: metrics.outboxAge };
    this.#unobserve = observeTogether(gauges, () => outboxBacklog((sql) => this.database.query(sql)));
  }

  /** Publishes what is recorded by now and stops. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#unobserve();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const client = new Client({
        connectionString: this.#url,
        application_name: 'outbox-relay',
        connectionTimeoutMillis: 5000,
        query_timeout: 10_000,
        keepAlive: true,
      });
      client.on('error', (error) => {
        this.#logger.warn(`the relay lost its database: ${error.message}`);
        this.#wake();
      });
      client.on('notification', () => this.#wake());
      try {
        await client.connect();
        await this.#relay(client);
      } catch (error) {
        this.#logger.warn(`relaying events failed, trying again: ${String(error)}`);
        await pause(1000, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
  }

  async #relay(client: Client): Promise<void> {
    await client.query(`LISTEN ${outboxChannel}`);
    let leading = false;
    let pruned = 0;
    while (!this.#stopped.signal.aborted) {
      this.#pending = false;
      leading ||= await tryToLead(client);
      if (leading) {
        while ((await this.#publishBatch(client)) === batchSize);
        if (Date.now() - pruned > 3_600_000) {
          await client.query(`DELETE FROM inbox WHERE received_at < now() - interval '${inboxDays} days'`);
          pruned = Date.now();
        }
      }
      await this.#nextWake();
    }
    if (leading) while ((await this.#publishBatch(client)) === batchSize);
  }

  async #publishBatch(client: Client): Promise<number> {
    const { rows } = await client.query<StoredEvent & { position: string }>(
      `SELECT id AS position, event_id AS id, subject, payload::text AS payload, headers
         FROM outbox ORDER BY outbox.id LIMIT ${batchSize}`,
    );
    for (const { position, ...event } of rows) {
      await this.#publisher.publish(event);
      await client.query('DELETE FROM outbox WHERE id = $1', [position]);
    }
    return rows.length;
  }

  // The poll finds what a lost notification would leave behind.
  async #nextWake(): Promise<void> {
    if (this.#pending || this.#stopped.signal.aborted) return;
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

async function tryToLead(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ leading: boolean }>('SELECT pg_try_advisory_lock($1) AS leading', [
    relayLock,
  ]);
  return rows[0]?.leading ?? false;
}
