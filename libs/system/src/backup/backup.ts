import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Readable } from 'node:stream';
import { backedUp } from '../provision/declared-streams.ts';
import type { Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { BackupPlace } from './backup-place.ts';
import { digestOf, files, newBackupName } from './backups.ts';
import { withCut } from './consistent-cut.ts';
import { copyOut, type DatabaseCopy } from './database-copy.ts';
import { exclusively } from './exclusive.ts';
import { copyObjects } from './object-copy.ts';
import { claimPlace, installationId } from './place-owner.ts';
import { removeOld } from './retention.ts';
import type { Retention } from './retention-policy.ts';
import { seal, type SealingKeys } from './sealed-file.ts';
import { snapshotStream, type StreamHead } from './stream-snapshot.ts';

/** The description of a backup, sealed and signed like the rest; without it a backup is not whole. */
export interface Manifest {
  readonly format: 2;
  /** The moment that the databases are of, in ISO 8601. */
  readonly at: string;
  readonly databases: Record<Database, DatabaseCopy>;
  readonly streams: Readonly<Record<string, StreamHead>>;
  /** The last event of that moment; what the snapshot has beyond it is forgotten. */
  readonly lastEvent: number;
  /** SHA-256 of the list of objects, which is not sealed itself. */
  readonly objects: string;
  /** Up to which event each service had applied all, a little earlier; what it has beyond its inbox knows. */
  readonly applied: Record<string, number>;
}

/** What a killed backup has left of a file is kept for so long: a clone of the installation may be writing there too. */
const unfinishedMs = 24 * 60 * 60_000;

export interface BackupOptions {
  readonly place: BackupPlace;
  readonly keys: SealingKeys;
  /** Which backups stay; all of them unless told. */
  readonly retention?: Retention | undefined;
  /** Whether more than two thirds of the backups may go at once. */
  readonly removesMost?: boolean | undefined;
  /** Hears of the backup once it is whole, before anything is removed. */
  readonly onMade?: ((made: Made) => Promise<void>) | undefined;
  /** Hears that what was to go is gone, and which backups are of a time later than this one's. */
  readonly onThinned?: ((ahead: readonly string[]) => Promise<void>) | undefined;
}

export interface Made {
  readonly name: string;
  readonly manifest: Manifest;
  /** For how long writers waited at most. */
  readonly pausedMs: number;
}

/**
 * Backs up databases, streams and objects as of one moment, and answers what the copy is and what it cost.
 *
 * @throws Problem while another backup or restore of the same installation is under way, or where the place is another
 * installation's; and where too many old ones would go, or whatever keeps them from being removed, after `onMade`.
 */
export function backUp(parts: PartsDescription, options: BackupOptions): Promise<Made> {
  return exclusively(parts.postgres.adminUrl, async () => {
    const { place, retention, removesMost } = options;
    const installation = await installationId(parts.postgres.adminUrl);
    await claimPlace(place, installation);
    await place.removeUnfinished(new Date(Date.now() - unfinishedMs));
    const made = await make(parts, options, installation);
    await options.onMade?.(made);
    const ahead = retention ? await removeOld(place, made.name, retention, removesMost) : [];
    await options.onThinned?.(ahead);
    return made;
  });
}

async function make(
  parts: PartsDescription,
  { place, keys }: BackupOptions,
  installation: string,
): Promise<Made> {
  const name = newBackupName();
  const write = async (file: string, content: Readable) =>
    place.write(`${name}/${file}`, await seal(content, `${name}/${file}`, keys));
  const { provision } = parts.nats.users;
  const connection = await connect({
    servers: parts.nats.url.split(','),
    ...provision,
    name: 'backup',
    timeout: 10_000,
  });
  try {
    const { consumers, streams } = await jetstreamManager(connection, { timeout: 10_000 });
    // What is removed after the moment was copied before it.
    const before = await copyObjects(parts.minio, place, keys);
    const applied: Record<string, number> = {};
    for await (const { name: service, ack_floor } of consumers.list('EVENTS'))
      applied[service] = ack_floor.stream_seq;
    const heads: Record<string, StreamHead> = {};
    const copyStreams = async (names: readonly string[]) => {
      for (const stream of names)
        heads[stream] = await snapshotStream(connection, provision.inboxPrefix, stream, (content) =>
          write(files.stream(stream), content),
        );
    };
    await copyStreams(backedUp('before'));

    const last = async () => ({
      at: new Date().toISOString(),
      lastEvent: (await streams.info('EVENTS')).state.last_seq,
    });
    const { pausedMs, ...copied } = await withCut(parts.postgres, last, async (cut, known, pausedMs) => {
      const databases = {} as Record<Database, DatabaseCopy>;
      for (const [database, client] of Object.entries(cut) as [Database, (typeof cut)[Database]][])
        databases[database] = await copyOut(client, (table, rows) =>
          write(files.rows(database, table), rows),
        );
      return { ...known, databases, pausedMs };
    });
    await copyStreams(backedUp('after'));
    const after = await copyObjects(parts.minio, place, keys);
    const copies = [...new Set([...before, ...after])];
    await place.write(`${name}/${files.objects}`, Readable.from(copies.map((copy) => `${copy}\n`)));
    // Of two that claimed it at the same time one has it now, and the other one's backup never becomes whole.
    await claimPlace(place, installation);
    const manifest: Manifest = {
      format: 2,
      ...copied,
      applied,
      streams: heads,
      objects: digestOf(copies),
    };
    await write(files.manifest, Readable.from([Buffer.from(JSON.stringify(manifest))]));
    return { name, manifest, pausedMs };
  } catch (error) {
    // What made it fail may keep this from succeeding too; the next backup removes what is left.
    await place.removeFolder(name).catch(() => undefined);
    throw error;
  } finally {
    await connection.close();
  }
}
