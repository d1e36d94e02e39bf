import type { NatsConnection } from '@nats-io/transport-node';
import { EventEmitter } from 'node:events';

/** Rejects a request whose answer was lost with the connection. */
export class ConnectionLost extends Error {
  constructor() {
    super('the connection was lost');
  }
}

/** Whether a connection has its server. One loop reads the client's status events for all users of the connection. */
export class ConnectionStatus {
  /** `lost` fires when the connection is lost or closed for good, `back` when it is open again. */
  readonly changes = new EventEmitter<{ lost: []; back: [] }>().setMaxListeners(0);
  readonly #connection: NatsConnection;
  #isLost = false;
  #changedAt = -Infinity;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
    void this.#follow();
  }

  /** False once the client knows that the connection is lost. A connection to a silent server still counts as connected. */
  get isConnected(): boolean {
    return !this.#isLost && !this.#connection.isClosed();
  }

  /** Milliseconds since the connection was last lost or came back; `Infinity` if it was never lost. */
  get settledMs(): number {
    return performance.now() - this.#changedAt;
  }

  /**
   * Resolves like `work`. A server that went away never answers its pending requests, so waiting longer is useless.
   *
   * @throws ConnectionLost where the connection is lost, or is lost and comes back during `work`.
   */
  async unlessLost<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isConnected) throw new ConnectionLost();
    const changed = Promise.withResolvers<never>();
    const fail = () => changed.reject(new ConnectionLost());
    this.changes.on('lost', fail).on('back', fail);
    try {
      return await Promise.race([work(), changed.promise]);
    } finally {
      this.changes.off('lost', fail).off('back', fail);
    }
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#change('lost');
      if (type === 'reconnect') this.#change('back');
    }
    this.#change('lost');
  }

  #change(change: 'lost' | 'back'): void {
    this.#isLost = change === 'lost';
    this.#changedAt = performance.now();
    this.changes.emit(change);
  }
}

const known = new WeakMap<NatsConnection, ConnectionStatus>();

export function connectionStatus(connection: NatsConnection): ConnectionStatus {
  const status = known.get(connection) ?? new ConnectionStatus(connection);
  known.set(connection, status);
  return status;
}
