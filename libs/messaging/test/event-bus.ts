import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { type NatsUser, provisionConsumer, startNats, waitFor } from '@stoa/system';
import { connectBus, EventPublisher } from '../src/index.ts';

type NatsServer = Awaited<ReturnType<typeof startNats>>;
type Connection = Awaited<ReturnType<typeof connectBus>>;

/** A NATS server with its streams, a publisher, and further connections. */
export class EventBus {
  readonly nats: NatsServer;
  /** The streams, with the rights of set-up. */
  readonly manager: JetStreamManager;
  readonly #publisher: EventPublisher;
  readonly #connections: Connection[];

  private constructor(nats: NatsServer, connections: Connection[], as: JetStreamManager, of: EventPublisher) {
    this.nats = nats;
    this.#connections = connections;
    this.manager = as;
    this.#publisher = of;
  }

  /**
   * @param publisher The service whose events are published.
   * @param options The data folder of the server; by default a new one.
   */
  static async open(publisher: NatsUser, options: Parameters<typeof startNats>[0] = {}): Promise<EventBus> {
    const nats = await startNats(options);
    const [owner, provision] = await Promise.all([connectAs(nats, publisher), connectAs(nats, 'provision')]);
    const manager = await jetstreamManager(provision);
    return new EventBus(nats, [owner, provision], manager, new EventPublisher(owner));
  }

  async connect(user: NatsUser): Promise<Connection> {
    const connection = await connectAs(this.nats, user);
    this.#connections.push(connection);
    return connection;
  }

  /** Waits for all connections after a restart: a message sent before the reconnect is dropped, and its answer never comes. */
  async reconnected(): Promise<void> {
    const open = this.#connections.filter((connection) => !connection.isClosed());
    await Promise.all(open.map((connection) => waitFor(() => connection.flush())));
  }

  /** The text is also the event's id, so the stream stores the same text once. */
  publish(event: { subject: string }, text: string, uid?: string): Promise<void> {
    return this.publishRaw(event, text, JSON.stringify({ text, uid }));
  }

  publishRaw({ subject }: { subject: string }, id: string, payload: string): Promise<void> {
    return this.#publisher.publish({ id, subject, payload, headers: {} }, 30_000);
  }

  /** Provisions the consumer of `user` for a release that follows these events. */
  async setUp(user: NatsUser, events: readonly { subject: string }[]): Promise<void> {
    await provisionConsumer(
      this.manager,
      user,
      events.map(({ subject }) => subject),
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map((connection) => connection.close()));
    await this.nats.close();
  }
}

function connectAs(nats: NatsServer, user: NatsUser): Promise<Connection> {
  const { pass } = nats.credentials(user);
  return connectBus({ url: nats.url, name: 'test', user, password: pass });
}
