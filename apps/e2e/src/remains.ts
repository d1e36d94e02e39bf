import { withClient } from '@stoa/system';
import { storeClient } from '@stoa/system/backup/object-copy';
import { services } from '@stoa/system/settings/names';
import { theSystem } from './system.ts';

type Service = (typeof services)[number];

/** Names of the tables (`service.table`) that have a row with one of these words. */
export async function tablesWith(words: readonly string[]): Promise<string[]> {
  const found = await Promise.all(services.map((service) => tablesOf(service, words)));
  return found.flat().toSorted();
}

async function tablesOf(service: Service, words: readonly string[]): Promise<string[]> {
  return withClient(theSystem().postgres.urls[service], async (client) => {
    const { rows: tables } = await client.query<{ name: string; quoted: string }>(
      `SELECT tablename AS name, quote_ident(tablename) AS quoted FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
    );
    const found: string[] = [];
    for (const { name, quoted } of tables) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM ${quoted} AS row WHERE EXISTS (
           SELECT 1 FROM unnest($1::text[]) AS word WHERE position(lower(word) IN lower(row::text)) > 0) LIMIT 1`,
        [words],
      );
      if (rowCount) found.push(`${service}.${name}`);
    }
    return found;
  });
}

/** The beginnings of the keys of an account's uploads, in all buckets. */
export function uploadPaths(uid: string): Promise<string[]> {
  return withClient(theSystem().postgres.urls.media, async (client) => {
    const uploads = 'SELECT path FROM upload WHERE uid = $1';
    return (await client.query<{ path: string }>(uploads, [uid])).rows.map(({ path }) => path);
  });
}

/** Objects (`bucket/key`) whose keys begin with one of these prefixes. */
export async function objectsUnder(prefixes: readonly string[]): Promise<string[]> {
  const { minio } = theSystem();
  const client = storeClient(minio);
  const found: string[] = [];
  for (const bucket of Object.values(minio.buckets))
    for (const prefix of prefixes)
      for await (const { name } of client.listObjectsV2(bucket, prefix, true))
        if (name) found.push(`${bucket}/${name}`);
  return found;
}
