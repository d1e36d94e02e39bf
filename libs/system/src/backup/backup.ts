import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Readable } from 'node:stream';
import { backedUp } from '../provision/declared-streams.ts';
import type { Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { BackupPlace } from './backup-place.ts';
import { digestOf, backupFiles, newBackupName } from './backups.ts';
import { withCut } from './consistent-cut.ts';
import { copyOut, type DatabaseCopy } from './database-copy.ts';
import { withBackupLock } from './backup-lock.ts';
import { copyObjects } from './object-copy.ts';
import { claimPlace, installationId } from './place-owner.ts';
import { removeOldBackups } from './retention.ts';
import type { Retention } from './retention-policy.ts';
import { encryptAndSign, type SealingKeys } from './sealed-file.ts';
import { snapshotStream, type StreamHead } from './stream-snapshot.ts';

/**
 * The description of a backup, encrypted and signed like its other files. A backup is complete when it has
 * one.
 */
export interface Manifest {
  readonly format: 2;
  /** The time of the database snapshots, in ISO 8601. */
  readonly at: string;
  readonly databases: Record<Database, DatabaseCopy>;
  readonly streams: Readonly<Record<string, StreamHead>>;
  /**
   * Sequence number of the last event before the database snapshots. A restore deletes later events of the
   * stream snapshot.
   */
  readonly lastEvent: number;
  /** SHA-256 of the list of objects, which itself is neither encrypted nor signed. */
  readonly objects: string;
  /**
   * For each service, the sequence number up to which it had handled all events shortly before the snapshots.
   * Its inbox recognises later events that it had also handled.
   */
  readonly applied: Record<string, number>;
}

/**
 * Unfinished files of killed backups are removed after this time. Younger ones may belong to a running backup
 * of a clone.
 */
const unfinishedMs = 24 * 60 * 60_000;

export interface BackupOptions {
  readonly place: BackupPlace;
  readonly keys: SealingKeys;
  /** The backups to keep; by default all. */
  readonly retention?: Retention | undefined;
  /** Whether one run may remove more than two thirds of the backups. */
  readonly removesMost?: boolean | undefined;
  /** Called once the backup is complete, before any old one is removed. */
  readonly onMade?: ((made: FinishedBackup) => Promise<void>) | undefined;
  /** Called after old backups are removed, with the backups whose time is later than this one's. */
  readonly onPruned?: ((ahead: readonly string[]) => Promise<void>) | undefined;
}

export interface FinishedBackup {
  readonly name: string;
  readonly manifest: Manifest;
  /** Upper bound of the time that writers waited. */
  readonly pausedMs: number;
}

/**
 * Backs up databases, streams and objects as of one moment. Returns the backup and the time that writers
 * waited.
 *
 * @throws Problem if another backup or restore of the installation is running, or the place belongs to
 * another installation. After `onMade`: if too many old backups would be removed, or removing them fails.
 */
export function backUp(parts: PartsDescription, options: BackupOptions): Promise<FinishedBackup> {
  return withBackupLock(parts.postgres.adminUrl, async () => {
    const { place, retention, removesMost } = options;
    const installation = await installationId(parts.postgres.adminUrl);
    await claimPlace(place, installation);
    await place.removeUnfinished(new Date(Date.now() - unfinishedMs));
    const made = await make(parts, options, installation);
    await options.onMade?.(made);
    const ahead = retention ? await removeOldBackups(place, made.name, retention, removesMost) : [];
    await options.onPruned?.(ahead);
    return made;
  });
}

async function make(
  parts: PartsDescription,
  { place, keys }: BackupOptions,
  installation: string,
): Promise<FinishedBackup> {
  const name = newBackupName();
  const write = async (file: string, content: Readable) =>
    place.write(`${name}/${file}`, await encryptAndSign(content, `${name}/${file}`, keys));
  const { provision } = parts.nats.users;
  const connection = await connect({
    servers: parts.nats.url.split(','),
    ...provision,
    name: 'backup',
    timeout: 10_000,
  });
  try {
    const { consumers, streams } = await jetstreamManager(connection, { timeout: 10_000 });
    // This first copy lasts long, so it runs before the snapshots. An object that is deleted after them is
    // then already copied.
    const before = await copyObjects(parts.minio, place, keys);
    const applied: Record<string, number> = {};
    for await (const { name: service, ack_floor } of consumers.list('EVENTS'))
      applied[service] = ack_floor.stream_seq;
    const heads: Record<string, StreamHead> = {};
    const copyStreams = async (names: readonly string[]) => {
      for (const stream of names)
        heads[stream] = await snapshotStream(connection, provision.inboxPrefix, stream, (content) =>
          write(backupFiles.stream(stream), content),
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
          write(backupFiles.rows(database, table), rows),
        );
      return { ...known, databases, pausedMs };
    });
    await copyStreams(backedUp('after'));
    const after = await copyObjects(parts.minio, place, keys);
    const copies = [...new Set([...before, ...after])];
    await place.write(`${name}/${backupFiles.objects}`, Readable.from(copies.map((copy) => `${copy}\n`)));
    // Two installations may have claimed the place concurrently. Only one owns it now; the other's backup
    // must not become complete.
    await claimPlace(place, installation);
    const manifest: Manifest = {
      format: 2,
      ...copied,
      applied,
      streams: heads,
      objects: digestOf(copies),
    };
    await write(backupFiles.manifest, Readable.from([Buffer.from(JSON.stringify(manifest))]));
    return { name, manifest, pausedMs };
  } catch (error) {
    // The error that stopped the backup may also prevent this removal. The next backup removes the incomplete
    // folder.
    await place.removeFolder(name).catch(() => undefined);
    throw error;
  } finally {
    await connection.close();
  }
}
