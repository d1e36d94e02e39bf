import { DiscardPolicy, RetentionPolicy, StorageType, type StreamConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';

const hours = (n: number) => nanos(n * 60 * 60 * 1000);
const days = (n: number) => hours(n * 24);
const MiB = 1024 * 1024;

const kept = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  // Bounded in bytes too: a full disk would stop every service at once.
  discard: DiscardPolicy.Old,
} as const;

/**
 * What a backup does with a stream: it holds it as of after the moment of the databases, or, where consumers take messages
 * away, of before it, so that what one has taken is in one or the other; or there is a reason to leave it out.
 */
type InBackup = 'after' | 'before' | { readonly leftOut: string };

export type DeclaredStream = Partial<StreamConfig> & { readonly name: string; readonly backup: InBackup };

/** Every stream that there is. */
export const streams: readonly DeclaredStream[] = [
  {
    ...kept,
    name: 'EVENTS',
    backup: 'after',
    subjects: ['events.>'],
    max_age: days(30),
    max_bytes: 1024 * MiB,
    // A relay that died between publishing and noting it publishes again within this time.
    duplicate_window: nanos(10 * 60 * 1000),
    allow_direct: true,
  },
  {
    ...kept,
    name: 'DEAD',
    backup: 'after',
    subjects: ['dead.>'],
    max_age: days(90),
    max_bytes: 256 * MiB,
    // Of a service and an event it could not handle: whoever can cause one kind of letters pushes out no others. A letter holds
    // 33 KB at most (dead-letters.ts), so that one kind fills an eighth of the stream.
    max_msgs_per_subject: 1000,
  },
  {
    ...kept,
    // What edge may read of EVENTS. No mirror: the server would answer reads of EVENTS from it too, though it has only a part.
    name: 'PASSWORD_CHANGES',
    backup: { leftOut: 'NATS makes it anew of EVENTS.' },
    sources: [{ name: 'EVENTS', filter_subject: 'events.identity.passwordChanged' }],
    max_age: days(1),
    max_bytes: 64 * MiB,
    allow_direct: true,
  },
  {
    ...kept,
    // What edge may read of EVENTS, too. creators announces each reservation anew before it is that old.
    name: 'RESERVED_USERNAMES',
    backup: { leftOut: 'NATS makes it anew of EVENTS.' },
    sources: [{ name: 'EVENTS', filter_subject: 'events.creators.usernameReserved' }],
    max_age: days(30),
    max_bytes: 64 * MiB,
    allow_direct: true,
  },
  {
    // What visitors did, until it is counted. Full, it takes no more: what it took is not given up.
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
    // One message of a subject, the first: what the replicas of a process agree upon, such as the key of a day's hashes.
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    name: 'AGREEMENTS',
    backup: { leftOut: "Keys of a day's hashes, to be forgotten with the day; replicas agree anew." },
    subjects: ['agreements.>'],
    max_age: hours(25),
    max_bytes: MiB,
    allow_direct: true,
  },
  {
    ...kept,
    // What the pages of every release ask for by names that carry a hash, the last message of each: see ADR 21.
    name: 'ASSETS',
    backup: { leftOut: 'Every gateway hands in its release anew when it starts.' },
    subjects: ['assets.>'],
    max_msgs_per_subject: 1,
    max_age: days(30),
    max_bytes: 128 * MiB,
    max_msg_size: MiB,
    // Every replica hands in its release once a day; that of another is no second one.
    duplicate_window: hours(24),
    allow_direct: true,
  },
];

/** Those that NATS makes anew of EVENTS. */
export const copiesOfEvents: readonly string[] = streams
  .filter(({ sources }) => sources !== undefined)
  .map(({ name }) => name);

/** Those that a backup holds, told apart by when it copies them. */
export const backedUp = (when: 'before' | 'after'): string[] =>
  streams.filter(({ backup }) => backup === when).map(({ name }) => name);

/** All of those. */
export const backedUpStreams: readonly string[] = [...backedUp('before'), ...backedUp('after')];
