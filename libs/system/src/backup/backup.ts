import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Database } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { withCut } from './consistent-cut.ts';
import { copyOut, type DatabaseCopy } from './database-copy.ts';
import { exclusively } from './exclusive.ts';
import { orphanedCopies, copyObjects } from './object-copy.ts';
import { seal } from './sealed-file.ts';
import { snapshotStream, type StreamHead } from './stream-snapshot.ts';

/** The streams that are kept; PASSWORD_CHANGES is made of EVENTS. */
export const streamNames = ['EVENTS', 'DEAD'] as const;

/** What a backup says of itself, sealed like the rest; without it a backup is not whole. */
export interface Manifest {
  readonly format: 1;
  /** The moment that the databases are of, in ISO 8601. */
  readonly at: string;
  readonly databases: Record<Database, DatabaseCopy>;
  readonly streams: Record<(typeof streamNames)[number], StreamHead>;
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
/** A time in UTC without signs that a file system minds. */
const backupName = /^\d{4}-\d\d-\d\dT[\d-]+Z$/;
export const objectsFolder = (folder: string): string => join(folder, 'objects');

export interface BackupOptions {
  readonly folder: string;
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
    const made = await make(parts, options);
    if (options.keep !== undefined) await removeOld(options.folder, options.keep);
    return made;
  });
}

async function make(parts: PartsDescription, { folder, recipient }: BackupOptions): Promise<Made> {
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const place = join(folder, name);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const write = (file: string, content: Readable) => seal(join(place, file), content, recipient);
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
    const before = await copyObjects(parts.minio, objectsFolder(folder), recipient);
    const applied: Record<string, number> = {};
    for await (const { name: service, ack_floor } of consumers.list('EVENTS'))
      applied[service] = ack_floor.stream_seq;

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
    const heads = {} as Manifest['streams'];
    for (const stream of streamNames)
      heads[stream] = await snapshotStream(connection, provision.inboxPrefix, stream, (content) =>
        write(files.stream(stream), content),
      );
    const after = await copyObjects(parts.minio, objectsFolder(folder), recipient);
    await writeFile(join(place, files.objects), [...new Set([...before, ...after])].join('\n'));
    const manifest: Manifest = { format: 1, ...copied, applied, streams: heads };
    await write(files.manifest, Readable.from([Buffer.from(JSON.stringify(manifest))]));
    return { name, manifest, pausedMs };
  } catch (error) {
    await rm(place, { recursive: true, force: true });
    throw error;
  } finally {
    await connection.close();
  }
}

/** The whole backups of a folder, oldest first. */
export async function backupsIn(folder: string): Promise<string[]> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  return names.filter((name) => existsSync(join(folder, name, files.manifest))).toSorted();
}

export async function objectNames(place: string): Promise<string[]> {
  return (await readFile(join(place, files.objects), 'utf8')).split('\n').filter(Boolean);
}

async function removeOld(folder: string, keep: number): Promise<void> {
  const all = await backupsIn(folder);
  const broken = (await readdir(folder)).filter((name) => backupName.test(name) && !all.includes(name));
  for (const name of [...broken, ...all.slice(0, -keep)]) await rm(join(folder, name), { recursive: true });
  const kept = await Promise.all(all.slice(-keep).map((name) => objectNames(join(folder, name))));
  for (const copy of await orphanedCopies(objectsFolder(folder), new Set(kept.flat()))) await rm(copy);
}
