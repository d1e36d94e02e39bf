import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { withClient } from '../provision/databases.ts';
import { announcingServices, type Service, services } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** An event in the stream. */
export interface StreamedEvent {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
}

/** The handling of every event in the stream, as each service has recorded it. */
export interface EventLedger {
  readonly events: readonly StreamedEvent[];
  /** Event ids in the inbox of each service, which records them in the transaction of the effect. */
  readonly handled: Readonly<Record<Service, ReadonlySet<string>>>;
  /** The subjects that each service follows, and the number of its undelivered or unacknowledged events. */
  readonly followed: Readonly<
    Record<Service, { readonly subjects: readonly string[]; readonly waiting: number }>
  >;
  /** Number of unpublished rows in each outbox. */
  readonly unsent: Readonly<Record<Service, number>>;
}

/** Number of concurrent message requests. */
const batch = 64;

export async function readEventLedger(parts: PartsDescription): Promise<EventLedger> {
  // Reads the inboxes first. An event that a service handles during the reading is then in the stream too.
  const handled = await ofEach(services, (service) =>
    // The inbox also contains handled requests; their ids contain a space.
    inDatabaseOf(
      parts,
      service,
      `SELECT event_id AS id FROM inbox WHERE event_id NOT LIKE 'request %'`,
      (rows: { id: string }[]) => new Set(rows.map(({ id }) => id)),
    ),
  );
  const unsent = await ofEach(announcingServices, (service) =>
    inDatabaseOf(
      parts,
      service,
      'SELECT count(*)::int AS n FROM outbox',
      ([row]: { n: number }[]) => row?.n ?? 0,
    ),
  );
  const connection = await connect({ servers: parts.nats.url, ...parts.nats.users.provision });
  try {
    const { streams, consumers } = await jetstreamManager(connection, { timeout: 10_000 });
    const followed = await ofEach(services, async (service) => {
      const { config, num_pending, num_ack_pending } = await consumers.info('EVENTS', service);
      return { subjects: config.filter_subjects ?? [], waiting: num_pending + num_ack_pending };
    });
    const { first_seq: first, last_seq: last } = (await streams.info('EVENTS')).state;
    const events: StreamedEvent[] = [];
    for (let from = Math.max(first, 1); from <= last; from += batch) {
      const places = Array.from({ length: Math.min(batch, last - from + 1) }, (_, index) => from + index);
      const found = await Promise.all(places.map((seq) => streams.getMessage('EVENTS', { seq })));
      for (const message of found)
        if (message)
          events.push({
            id: message.header.get('Nats-Msg-Id'),
            subject: message.subject,
            payload: message.string(),
          });
    }
    return { events, handled, followed, unsent };
  } finally {
    await connection.close();
  }
}

async function inDatabaseOf<Row, Value>(
  { postgres }: PartsDescription,
  service: Service,
  statement: string,
  read: (rows: Row[]) => Value,
): Promise<Value> {
  return withClient(postgres.urls[service], async (client) =>
    read((await client.query(statement)).rows as Row[]),
  );
}

async function ofEach<Value>(
  names: readonly Service[],
  valueOf: (name: Service) => Promise<Value>,
): Promise<Record<Service, Value>> {
  const entries = await Promise.all(names.map(async (name) => [name, await valueOf(name)] as const));
  return Object.fromEntries(entries) as Record<Service, Value>;
}
