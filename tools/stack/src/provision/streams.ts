import {
  DiscardPolicy,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { type NatsCredentials } from '../settings/description.ts';

const days = (n: number) => nanos(n * 24 * 60 * 60 * 1000);
const MiB = 1024 * 1024;

const kept = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  // Bounded in bytes too: a full disk would stop every service at once.
  discard: DiscardPolicy.Old,
} as const;

const streams: (Partial<StreamConfig> & { name: string })[] = [
  {
    ...kept,
    name: 'EVENTS',
    subjects: ['events.>'],
    max_age: days(30),
    max_bytes: 1024 * MiB,
    // A relay that died between publishing and noting it publishes again within this time.
    duplicate_window: nanos(10 * 60 * 1000),
  },
  { ...kept, name: 'DEAD', subjects: ['dead.>'], max_age: days(90), max_bytes: 256 * MiB },
];

/** Creates the streams or brings them up to date, each kept by so many servers of a cluster. */
export async function provisionStreams(
  url: string,
  credentials: NatsCredentials,
  replicas = 1,
): Promise<void> {
  const connection = await connect({
    servers: url.split(','),
    ...credentials,
    name: 'provision',
    timeout: 10_000,
  });
  try {
    const { streams: api } = await jetstreamManager(connection);
    await Promise.all(
      streams.map(async (definition) => {
        const stream = { ...definition, num_replicas: replicas };
        try {
          await api.update(stream.name, stream);
        } catch (error) {
          if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error;
          await api.add(stream);
        }
      }),
    );
  } finally {
    await connection.close();
  }
}
