import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { backedUp } from '../provision/declared-streams.ts';
import type { Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { BackupPlace } from './backup-place.ts';
import { withCut } from './consistent-cut.ts';
import { copyOut, type DatabaseCopy } from './database-copy.ts';
import { exclusively } from './exclusive.ts';
import { forEach } from './for-each.ts';
import { copyObjects, objectsFolder, orphanedCopies } from './object-copy.ts';
import { seal } from './sealed-file.ts';
import { snapshotStream, type StreamHead } from './stream-snapshot.ts';

/** What a backup says of itself, sealed like the rest; without it a backup is not whole. */
export interface Manifest {
  readonly format: 1;
  /** The moment that the databases are of, in ISO 8601. */
  readonly at: string;
  readonly databases: Record<Database, DatabaseCopy>;
  readonly streams: Readonly<Record<string, StreamHead>>;
  /** The last event of that moment; what the snapshot has beyond it is forgotten. */
  readonly lastEvent: number;
  /** Up to which event each service had applied all, a little earlier; what it has beyond its inbox knows. */
  readonly applied: Record<string, number>;
}

export const files = {
  manifest: 'manifest.json.age',
  rows: (database: string, table: string) => `${database}.${table}.copy.age`,
  stream: (name: string) => `${name}.snapshot.age`,
  /** Names alone, in the clear: old copies are removed without the key. */
  objects: 'objects.txt',
} as const;
/** What a killed backup has left of a file is kept for so long: another installation may be writing there too. */
const unfinishedMs = 24 * 60 * 60_000;
/** A time in UTC without signs that a file system minds. */
const backupName = /^\d{4}-\d\d-\d\dT[\d-]+Z$/;

export interface BackupOptions {
  readonly place: BackupPlace;
  /** `age1…`: who can read the backup. */
  readonly recipient: string;
  /** How many backups stay; all of them unless told. */
  readonly keep?: number | undefined;
}

interface Made {
  readonly name: string;
  readonly manifest: Manifest;
  /** For how long writers waited at most. */
  readonly pausedMs: number;
}

/**
 * Backs up databases, streams and objects as of one moment, and answers what the copy is and what it cost.
 *
 * @throws Problem while another backup or restore of the same installation is under way.
 */
export function backUp(parts: PartsDescription, options: BackupOptions): Promise<Made> {
  return exclusively(parts.postgres.adminUrl, async () => {
    await options.place.removeUnfinished(new Date(Date.now() - unfinishedMs));
    const made = await make(parts, options);
    if (options.keep !== undefined) await removeOld(options.place, options.keep);
    return made;
  });
}

async function make(parts: PartsDescription, { place, recipient }: BackupOptions): Promise<Made> {
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const write = async (file: string, content: Readable) =>
    place.write(`${name}/${file}`, await seal(content, recipient));
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
    const before = await copyObjects(parts.minio, place, recipient);
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
    const after = await copyObjects(parts.minio, place, recipient);
    const copies = [...new Set([...before, ...after])].map((copy) => `${copy}\n`);
    await place.write(`${name}/${files.objects}`, Readable.from(copies));
    const manifest: Manifest = { format: 1, ...copied, applied, streams: heads };
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

/** The whole backups of a place, oldest first. */
export async function backupsIn(place: BackupPlace): Promise<string[]> {
  const whole: string[] = [];
  await forEach(await namesIn(place), async (name) => {
    if (await place.has(`${name}/${files.manifest}`)) whole.push(name);
  });
  return whole.toSorted();
}

const namesIn = async (place: BackupPlace) => (await place.list('')).filter((name) => backupName.test(name));

/** Which copies of objects a backup needs. */
export async function objectNames(place: BackupPlace, name: string): Promise<string[]> {
  return (await text(await place.read(`${name}/${files.objects}`))).split('\n').filter(Boolean);
}

async function removeOld(place: BackupPlace, keep: number): Promise<void> {
  const all = await backupsIn(place);
  const broken = (await namesIn(place)).filter((name) => !all.includes(name));
  for (const name of [...broken, ...all.slice(0, -keep)]) await place.removeFolder(name);
  const kept = new Set<string>();
  await forEach(all.slice(-keep), async (name) => {
    for (const copy of await objectNames(place, name)) kept.add(copy);
  });
  for (const copy of await orphanedCopies(place, kept)) await place.removeFile(`${objectsFolder}/${copy}`);
}
