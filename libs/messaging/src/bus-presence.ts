import type { NatsConnection } from '@nats-io/transport-node';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type ConnectionStatus, connectionStatus } from './connection-status.ts';

/** Milliseconds within which a running server answers, even under load. */
const answerMs = 1500;
/** Pause between two checks of the server. */
const patienceMs = 1000;

/** Checks whether NATS still answers on a connection. The client itself gives up a silent server after ten seconds at best. */
export class BusPresence {
  readonly #connection: NatsConnection;
  readonly #status: ConnectionStatus;

  /** @param back Called when a lost connection is back. */
  constructor(connection: NatsConnection, back: () => void) {
    this.#connection = connection;
    this.#status = connectionStatus(connection);
    this.#status.changes.on('back', back);
  }

  /** False once the client knows that the connection is lost. A connection to a silent server still counts as connected. */
  get isConnected(): boolean {
    return this.#status.isConnected;
  }

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
