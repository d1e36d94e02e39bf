import { type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { forEachConcurrently } from '../backup/for-each-concurrently.ts';
import { objectsOf, storeClient } from '../backup/object-copy.ts';
import { removeStream } from '../backup/stream-snapshot.ts';
import { inDatabase, withClient } from '../provision/databases.ts';
import { backedUpStreams, streams as declared } from '../provision/declared-streams.ts';
import { databases } from '../settings/names.ts';
import type { PartsDescription } from '../settings/parts-description.ts';

/** The contents of the parts in a comparable form. */
export interface Inventory {
  /** Count and hash of the rows, by database and table. */
  readonly rows: Record<string, string>;
  /** Hash and headers, by bucket and key. */
  readonly objects: Record<string, unknown>;
  /** Stream, sequence number, subject, content and id of each message. */
  readonly events: readonly (readonly [string, number, string, string, string])[];
}

const hash = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

const withStreams = async <T>(
  { nats }: PartsDescription,
  work: (manager: JetStreamManager) => Promise<T>,
): Promise<T> => {
  const connection = await connect({ servers: nats.url, ...nats.users.provision });
  try {
    return await work(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
};

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  return rows.map(({ name }) => name);
}

/** Reads all rows, objects and events. */
export async function inventoryOf(parts: PartsDescription): Promise<Inventory> {
  const rows: Record<string, string> = {};
  for (const name of databases)
    await withClient(parts.postgres.urls[name], async (client) => {
      for (const table of await tablesOf(client)) {
        const all = await client.query<{ row: string }>(
          `SELECT t::text AS row FROM ${pg.escapeIdentifier(table)} t ORDER BY 1`,
        );
        rows[`${name}.${table}`] = `${all.rowCount} ${hash(JSON.stringify(all.rows))}`;
      }
    });
  const client = storeClient(parts.minio);
  const objects: Record<string, unknown> = {};
  for await (const { bucket, key } of objectsOf(parts.minio)) {
    const { metaData } = await client.statObject(bucket, key);
    objects[`${bucket}/${key}`] = [hash(await buffer(await client.getObject(bucket, key))), metaData];
  }
  const events: Inventory['events'][number][] = [];
  await withStreams(parts, async ({ streams }) => {
    for (const stream of backedUpStreams) {
      const found = await streams.info(stream).catch(() => undefined);
      const { first_seq: first, last_seq: last } = found?.state ?? { first_seq: 1, last_seq: 0 };
      // The first sequence number of a stream that was always empty is 0, which is no message.
      const numbers = Array.from({ length: last + 1 }, (_, seq) => seq).slice(Math.max(first, 1));
      const held: Inventory['events'][number][] = [];
      await forEachConcurrently(numbers, async (seq) => {
        const message = await streams.getMessage(stream, { seq });
        if (message)
          held.push([stream, seq, message.subject, message.string(), message.header.get('Nats-Msg-Id')]);
      });
      events.push(...held.toSorted(([, one], [, other]) => one - other));
    }
  });
  return { rows, objects, events };
}

/** Removes all rows except the record of migrations, all objects and all streams, like the loss of a disk. */
export async function wipe(parts: PartsDescription): Promise<void> {
  for (const name of databases)
    await withClient(inDatabase(parts.postgres.adminUrl, name), async (client) => {
      const lost = (await tablesOf(client)).filter(
        (table) => !['_prisma_migrations', 'databasechangelog'].includes(table),
      );
      if (lost.length > 0)
        await client.query(`TRUNCATE ${lost.map((table) => pg.escapeIdentifier(table)).join(', ')}`);
    });
  const client = storeClient(parts.minio);
  for await (const { bucket, key } of objectsOf(parts.minio)) await client.removeObject(bucket, key);
  await withStreams(parts, async (manager) => {
    // Copies are removed before their source.
    for (const { name } of declared.toReversed()) await removeStream(manager, name);
  });
}
