import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

const hours = (n: number) => nanos(n * 60 * 60 * 1000);
const days = (n: number) => hours(n * 24);
const MiB = 1024 * 1024;

const kept = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  // Limits the stream in bytes too, because a full disk would stop every service.
  discard: DiscardPolicy.Old,
} as const;

/**
 * How a backup treats a stream. `after`: it is copied after the moment of the databases. `before`: consumers
 * remove its messages, so it is copied before the moment, and each message is in the stream or in a database.
 * `leftOut` gives the reason for no copy.
 */
type InBackup = 'after' | 'before' | { readonly leftOut: string };

export type DeclaredStream = Partial<StreamConfig> & { readonly name: string; readonly backup: InBackup };

/**
 * The notification that the server publishes for each stored event, without its content, to readers of the stream. Its subject
 * is `stored.<stream>.<subject of the event without "events.">`.
 */
const notifies = (stream: string) => ({
  republish: { src: 'events.>', dest: `stored.${stream}.>`, headers_only: true },
});

/** All streams. */
export const streams: readonly DeclaredStream[] = [
  {
    ...kept,
    name: 'EVENTS',
    backup: 'after',
    subjects: ['events.>'],
    max_age: days(30),
    max_bytes: 1024 * MiB,
    // A relay that crashed after publishing, before recording it, publishes again within this time.
    duplicate_window: nanos(10 * 60 * 1000),
    allow_direct: true,
    ...notifies('EVENTS'),
  },
  {
    ...kept,
    name: 'DEAD',
    backup: 'after',
    subjects: ['dead.>'],
    max_age: days(90),
    max_bytes: 256 * MiB,
    // One subject per service and failed event, so that a flood of one kind displaces no others. A letter has
    // at most 33 KB (dead-letters.ts), so one kind fills at most an eighth of the stream.
    max_msgs_per_subject: 1000,
  },
  {
    ...kept,
    // The part of EVENTS that edge may read. A copy by `sources`: of a mirror NATS would answer reads of
    // EVENTS, although it has only a part.
    name: 'PASSWORD_CHANGES',
    backup: { leftOut: 'NATS copies it from EVENTS again.' },
    sources: [{ name: 'EVENTS', filter_subject: 'events.identity.passwordChanged' }],
    max_age: days(1),
    max_bytes: 64 * MiB,
    allow_direct: true,
    ...notifies('PASSWORD_CHANGES'),
  },
  {
    ...kept,
    // Another part of EVENTS that edge may read. creators publishes each reservation again before its event
    // is that old.
    name: 'RESERVED_USERNAMES',
    backup: { leftOut: 'NATS copies it from EVENTS again.' },
    sources: [{ name: 'EVENTS', filter_subject: 'events.creators.usernameReserved' }],
    max_age: days(30),
    max_bytes: 64 * MiB,
    allow_direct: true,
    ...notifies('RESERVED_USERNAMES'),
  },
  {
    // Visits until they are counted. A full stream refuses new messages and keeps what it has accepted.
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
    discard: DiscardPolicy.New,
    name: 'VISITS',
    backup: 'before',
    subjects: ['visits.>'],
    max_age: days(7),
    max_bytes: 256 * MiB,
    duplicate_window: nanos(10 * 60 * 1000),
  },
  {
    // One message per subject, the first one: values that replicas agree on, such as the key of a day's
    // hashes.
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    name: 'AGREEMENTS',
    backup: {
      leftOut: "Keys of a day's hashes, which must not outlast the day; replicas agree on new ones.",
    },
    subjects: ['agreements.>'],
    max_age: hours(25),
    max_bytes: MiB,
    allow_direct: true,
  },
  {
    ...kept,
    // Hashed files that pages of every release request, the last message of each name: see ADR 21.
    name: 'ASSETS',
    backup: { leftOut: 'Every gateway publishes its release again when it starts.' },
    subjects: ['assets.>'],
    max_msgs_per_subject: 1,
    max_age: days(30),
    max_bytes: 128 * MiB,
    max_msg_size: MiB,
    // Every replica publishes its release; within a day the stream stores each file once.
    duplicate_window: hours(24),
    allow_direct: true,
  },
];

/** Streams that NATS copies from EVENTS. */
export const copiesOfEvents: readonly string[] = streams
  .filter(({ sources }) => sources !== undefined)
  .map(({ name }) => name);

/** The streams that a backup copies before or after the moment of the databases. */
export const backedUp = (when: 'before' | 'after'): string[] =>
  streams.filter(({ backup }) => backup === when).map(({ name }) => name);

/** All streams of a backup. */
export const backedUpStreams: readonly string[] = [...backedUp('before'), ...backedUp('after')];
