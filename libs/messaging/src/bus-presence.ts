import type { NatsConnection } from '@nats-io/transport-node';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionStatus, connectionStatus } from './connection-status.ts';

/** Within this time a server that is there answers, also one with much to do. */
const answerMs = 1500;
/** For so long nothing is asked of a server that may just be at work. */
const patienceMs = 1000;

/** Whether NATS is at the other end of a connection: the client itself gives a silent one up after ten seconds at best. */
export class BusPresence {
  readonly #connection: NatsConnection;
  readonly #status: ConnectionStatus;

  /** @param back Called when a connection that was lost is there again. */
  constructor(connection: NatsConnection, back: () => void) {
    this.#connection = connection;
    this.#status = connectionStatus(connection);
    this.#status.changes.on('back', back);
  }

  /** False for a connection that is known to be lost; one whose server is silent still counts as there. */
  get isConnected(): boolean {
    return this.#status.isConnected;
  }

  /** Whether the server says something now. */
  async answers(): Promise<boolean> {
    if (!this.isConnected) return false;
    const silence = pause(answerMs, false, { ref: false });
    return Promise.race([this.#connection.flush().then(() => true), silence]).catch(() => false);
  }

  /** @throws Error once the connection is lost or its server silent; resolves when `signal` is aborted. */
  async requireUntil(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ends = AbortSignal.any([signal, over.signal]);
    try {
      await Promise.race([this.#lost(ends), this.#silent(ends)]);
    } finally {
      over.abort();
    }
    if (!signal.aborted) throw new Error('NATS is away.');
  }

  async #lost(signal: AbortSignal): Promise<void> {
    if (this.isConnected) await once(this.#status.changes, 'lost', { signal }).catch(() => undefined);
  }

  async #silent(signal: AbortSignal): Promise<void> {
    do await pause(patienceMs, undefined, { signal }).catch(() => undefined);
    while (!signal.aborted && (await this.answers()));
  }
}
