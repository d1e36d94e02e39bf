import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { json } from 'node:stream/consumers';
import { Problem } from '../problem.ts';
import { inDatabase, withClient } from '../provision/databases.ts';
import { copiesOfEvents } from '../provision/declared-streams.ts';
import { ackWait, maxAckPending, provisionStreams } from '../provision/streams.ts';
import { databases } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';
import { setUpSettings } from '../settings/set-up-settings.ts';
import type { BackupPlace } from './backup-place.ts';
import type { Manifest } from './backup.ts';
import { digestOf, backupFiles, isComplete, backupNamesIn, newestBackup, objectNames } from './backups.ts';
import { copyIn } from './database-copy.ts';
import { withBackupLock } from './backup-lock.ts';
import { objectsFolder, requireSigned, restoreObjects } from './object-copy.ts';
import { type OpeningKeys, readToEnd, decryptAndVerify } from './sealed-file.ts';
import { removeStream, restoreStream } from './stream-snapshot.ts';

export interface RestoreOptions {
  readonly place: BackupPlace;
  readonly keys: OpeningKeys;
  /** The name of the backup; by default the latest that is not from the future. */
  readonly name?: string | undefined;
  /** Called with the chosen backup before anything is changed. */
  readonly onChosen?: ((name: string, manifest: Manifest) => void) | undefined;
}

/**
 * Replaces the contents of all parts by those of a backup. The release that made the backup must have set
 * them up. The apps and Keycloak must be stopped.
 *
 * @throws Problem if databases are in use or of another release, files are missing, a signature is wrong, or
 * a backup or restore is running. Nothing is changed then: all signatures are verified first, and once more
 * when the content is used.
 */
export function restore(parts: PartsDescription, options: RestoreOptions): Promise<Manifest> {
  return withBackupLock(parts.postgres.adminUrl, () => putBack(parts, options));
}

async function putBack(
  parts: PartsDescription,
  { place, keys, name, onChosen }: RestoreOptions,
): Promise<Manifest> {
  const chosen = name ?? (await newestBackup(place));
  if (!chosen || !(await backupNamesIn(place)).includes(chosen) || !(await isComplete(place, chosen)))
    throw new Problem(`There is no complete backup ${name ?? ''} in ${place.address}.`);
  const open = async (file: string) => {
    const path = `${chosen}/${file}`;
    return decryptAndVerify(await place.read(path), path, keys);
  };
  const manifest = (await json(await open(backupFiles.manifest))) as Manifest;
  onChosen?.(chosen, manifest);
  const copies = await objectNames(place, chosen);
  if (digestOf(copies) !== manifest.objects)
    throw new Problem(`The list of objects of ${chosen} was changed after the backup was made.`);
  await requireFiles(place, chosen, [
    ...Object.entries(manifest.databases).flatMap(([database, { tables }]) =>
      tables.map((table) => backupFiles.rows(database, table.name)),
    ),
    ...Object.keys(manifest.streams).map(backupFiles.stream),
  ]);
  await requireFiles(place, objectsFolder, copies);
  await requireStopped(parts);
  // Verifies the signatures of streams and objects. `restoreDatabases` verifies the files of rows in its
  // transactions.
  for (const stream of Object.keys(manifest.streams)) await readToEnd(await open(backupFiles.stream(stream)));
  await requireSigned(place, copies, keys);
  await restoreDatabases(parts, manifest, (database, table) => open(backupFiles.rows(database, table)));
  await restoreObjects(parts.minio, place, copies, keys);
  await restoreStreams(parts, manifest, (stream) => open(backupFiles.stream(stream)));
  return manifest;
}

async function requireFiles(place: BackupPlace, folder: string, needed: readonly string[]): Promise<void> {
  const there = new Set(await place.list(folder));
  const missing = needed.filter((file) => !there.has(file));
  if (missing.length > 0)
    throw new Problem(
      `The backup is not complete: it lacks ${missing.length} of its files, such as ${folder}/${missing[0]}.`,
    );
}

async function requireStopped({ postgres }: PartsDescription): Promise<void> {
  await withClient(postgres.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      `SELECT DISTINCT datname AS name FROM pg_stat_activity
        WHERE datname = ANY($1) AND backend_type = 'client backend'`,
      [databases],
    );
    if (rows.length > 0)
      throw new Problem(
        `Stop the apps and Keycloak first: ${rows.map(({ name }) => name).join(', ')} are in use.`,
      );
  });
}

type Open = (...names: string[]) => ReturnType<typeof decryptAndVerify>;

/** All databases in one step: if one fails, none is changed. */
async function restoreDatabases(
  { postgres }: PartsDescription,
  manifest: Manifest,
  open: Open,
): Promise<void> {
  const clients: pg.Client[] = [];
  try {
    for (const name of databases) {
      const client = new pg.Client({ connectionString: inDatabase(postgres.adminUrl, name) });
      clients.push(client);
      await client.connect();
      await client.query('BEGIN');
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await copyIn(client, manifest.databases[name], (table) => open(name, table));
    }
    for (const client of clients) await client.query('COMMIT');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Restores the streams, and each service's consumer at the position of the backup. */
async function restoreStreams(parts: PartsDescription, manifest: Manifest, open: Open): Promise<void> {
  const { url, users } = parts.nats;
  const connection = await connect({
    servers: url.split(','),
    ...users.provision,
    name: 'restore',
    timeout: 10_000,
  });
  try {
    const manager = await jetstreamManager(connection);
    for (const copy of copiesOfEvents) await removeStream(manager, copy);
    // Only streams of the backup are restored: a newer release may have streams that an older backup lacks.
    for (const [stream, head] of Object.entries(manifest.streams)) {
      const last = stream === 'EVENTS' ? manifest.lastEvent : head.state.last_seq;
      await restoreStream(connection, stream, head, { content: await open(stream), last });
    }
    await restoreConsumers(connection, manifest.applied);
  } finally {
    await connection.close();
  }
  await provisionStreams(url, users.provision, Number(setUpSettings(process.env).STREAM_REPLICAS));
}

async function restoreConsumers(connection: NatsConnection, applied: Manifest['applied']): Promise<void> {
  const { consumers } = await jetstreamManager(connection);
  for (const [service, seq] of Object.entries(applied))
    await consumers.add('EVENTS', {
      durable_name: service,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: seq + 1,
      ack_policy: AckPolicy.Explicit,
      ack_wait: ackWait,
      max_ack_pending: maxAckPending,
    });
}
