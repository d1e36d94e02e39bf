import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connect, nanos } from '@nats-io/transport-node';
import { readFileSync } from 'node:fs';
import { inRepository } from '../paths.ts';
import type { consumerMetadata as Metadata } from '@stoa/contracts';
import type { FollowedSubjects } from '../settings/followed-events.ts';
import type { NatsCredentials } from '../settings/parts-description.ts';
import { type DeclaredStream, streams } from './declared-streams.ts';

/**
 * A copy of the constants in the contracts, which are not built on the first start of a checkout. The
 * compiler compares the types.
 */
const consumerMetadata: typeof Metadata = { followed: 'stoa.followed', former: 'stoa.former' };
/**
 * After this time the server delivers an unacknowledged event to another replica. A working replica extends
 * it every 5 s.
 */
export const ackWait = nanos(15_000);
/**
 * Limit of unacknowledged events per consumer, beyond which the server delivers no more. Each replica handles
 * at most 64 concurrently; failing events become dead letters before they fill the limit.
 */
export const maxAckPending = 2048;

/** The subjects that each service follows; written by "npm run stoa generate nats". */
const followed = () =>
  JSON.parse(readFileSync(inRepository('deploy/nats/consumers.json'), 'utf8')) as Record<
    string,
    FollowedSubjects
  >;

/**
 * Creates or updates the streams and each service's consumer. `replicas` servers of the cluster store each
 * stream.
 */
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
    const manager = await jetstreamManager(connection);
    // Creates streams in the order of the list, because a copy must follow its source.
    for (const { backup: _, ...stream } of streams)
      await provisionStream(manager, { ...stream, num_replicas: replicas });
    const consumers = Object.entries(followed()).flatMap(([service, streams]) =>
      Object.entries(streams).map(([stream, subjects]) => ({ service, stream, subjects })),
    );
    await Promise.all(
      consumers.map(({ service, stream, subjects }) => provisionConsumer(manager, service, subjects, stream)),
    );
  } finally {
    await connection.close();
  }
}

async function provisionStream({ streams: api }: JetStreamManager, stream: Omit<DeclaredStream, 'backup'>) {
  try {
    await api.update(stream.name, stream);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error;
    await api.add(stream);
  }
}

/**
 * Creates or updates the durable consumer through which all replicas of `service` follow `subjects` of
 * `stream`. It also includes the subjects of the previously set-up release: during an upgrade both releases
 * run, and either may run set-up again.
 */
export async function provisionConsumer(
  { consumers: api }: JetStreamManager,
  service: string,
  subjects: readonly string[],
  stream = 'EVENTS',
): Promise<void> {
  const followed = subjects.toSorted();
  const present = await api.info(stream, service).catch((error: unknown) => {
    if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error;
  });
  const former = present ? formerly(present.config, followed) : [];
  const config: Partial<ConsumerConfig> = {
    filter_subjects: [...new Set([...followed, ...former])],
    ack_wait: ackWait,
    max_ack_pending: maxAckPending,
    metadata: {
      [consumerMetadata.followed]: JSON.stringify(followed),
      [consumerMetadata.former]: JSON.stringify(former),
    },
  };
  if (present) {
    await api.update(stream, service, config);
    return;
  }
  await api.add(stream, {
    ...config,
    durable_name: service,
    deliver_policy: DeliverPolicy.All,
    ack_policy: AckPolicy.Explicit,
  });
}

/** The subjects of the other release that set-up provisioned last. */
function formerly({ metadata = {} }: ConsumerConfig, followed: string[]): string[] {
  const subjects = (name: string) => JSON.parse(metadata[name] ?? '[]') as string[];
  const last = subjects(consumerMetadata.followed);
  const isSame = JSON.stringify(last) === JSON.stringify(followed);
  return isSame ? subjects(consumerMetadata.former) : last;
}
