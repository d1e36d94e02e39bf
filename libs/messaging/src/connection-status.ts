import type { NatsConnection } from '@nats-io/transport-node';
import { EventEmitter } from 'node:events';

/** Of a question whose answer went with the connection. */
export class ConnectionLost extends Error {
  constructor() {
    super('the connection was lost');
  }
}

/** Whether a connection has its server: one loop over what the client says of it, for all of the process who ask. */
export class ConnectionStatus {
  /** `lost` also when the connection is closed, after which nothing more is said. */
  readonly changes = new EventEmitter<{ lost: []; back: [] }>().setMaxListeners(0);
  readonly #connection: NatsConnection;
  #isLost = false;
  #changedAt = -Infinity;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
    void this.#follow();
  }

  /** False for a connection that is known to be lost; one whose server is silent still counts as there. */
  get isConnected(): boolean {
    return !this.#isLost && !this.#connection.isClosed();
  }

  /** Milliseconds since the connection was last lost or came back; `Infinity` where it never was. */
  get settledMs(): number {
    return performance.now() - this.#changedAt;
  }

  /**
   * What `work` resolves to. What was asked of a server that went away is never answered: nobody need wait for that once it is
   * back.
   *
   * @throws ConnectionLost where the connection is lost, or came back since it was asked.
   */
  async unlessLost<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isConnected) throw new ConnectionLost();
    const changed = Promise.withResolvers<never>();
    const tell = () => changed.reject(new ConnectionLost());
    this.changes.on('lost', tell).on('back', tell);
    try {
      return await Promise.race([work(), changed.promise]);
    } finally {
      this.changes.off('lost', tell).off('back', tell);
    }
  }

  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      if (type === 'disconnect') this.#tell('lost');
      if (type === 'reconnect') this.#tell('back');
    }
    this.#tell('lost');
  }

  #tell(change: 'lost' | 'back'): void {
    this.#isLost = change === 'lost';
    this.#changedAt = performance.now();
    this.changes.emit(change);
  }
}

const known = new WeakMap<NatsConnection, ConnectionStatus>();

/** The one status of this connection. */
export function connectionStatus(connection: NatsConnection): ConnectionStatus {
  const status = known.get(connection) ?? new ConnectionStatus(connection);
  known.set(connection, status);
  return status;
}
