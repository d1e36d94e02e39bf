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

/** The contracts' own, which are not built yet when this starts on a fresh machine; the compiler holds the two together. */
const consumerMetadata: typeof Metadata = { followed: 'stoa.followed', former: 'stoa.former' };
/**
 * After it the server gives an event to another replica, unless the one that has it says that it is at work: each 5 s, those
 * of the release before each 10.
 */
export const ackWait = nanos(15_000);
/**
 * Events of one consumer that may be in hand or wait for another try; at this number the server gives out no more. Its
 * replicas have 64 each in hand, and events that fail are put aside before they fill it.
 */
export const maxAckPending = 2048;

/** What each service follows, by its name; written by "npm run stoa generate nats". */
const followed = () =>
  JSON.parse(readFileSync(inRepository('deploy/nats/consumers.json'), 'utf8')) as Record<
    string,
    FollowedSubjects
  >;

/**
 * Creates the streams and the consumer of each service, or brings them up to date; each stream is kept by so many
 * servers of a cluster.
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
    // One after the other: the copy comes after what it is a copy of.
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
    const { config } = await api.info(stream.name);
    // The release before made a mirror, which cannot become anything else; all that it holds is in EVENTS.
    if (config.mirror) await api.delete(stream.name);
    await (config.mirror ? api.add(stream) : api.update(stream.name, stream));
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error;
    await api.add(stream);
  }
}

/**
 * Makes the consumer through which all replicas of `service` follow what `stream` carries on `subjects`. What the release
 * that was set up before follows comes through it too: both run side by side for a while, and either may be set up again.
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

/** What another release than this one followed when it was last set up. */
function formerly({ metadata = {}, filter_subject, filter_subjects }: ConsumerConfig, followed: string[]) {
  const subjects = (name: string) => JSON.parse(metadata[name] ?? 'null') as string[] | null;
  // A release from before noted nothing.
  const last =
    subjects(consumerMetadata.followed) ?? filter_subjects ?? (filter_subject ? [filter_subject] : []);
  const isSame = JSON.stringify(last.toSorted()) === JSON.stringify(followed);
  return isSame ? (subjects(consumerMetadata.former) ?? []) : last;
}
