import type { Client } from 'minio';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { BackupPlace } from './backup-place.ts';
import { type OpeningKeys, seal, type SealingKeys, unseal } from './sealed-file.ts';
import { boundedClient } from './bounded-client.ts';
import { forEach } from './for-each.ts';

type Storage = PartsDescription['minio'];

/** What stands before the bytes of a copied object. */
interface Head {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly headers: Record<string, string>;
}

/** Where the copies lie that all backups of a place share. */
export const objectsFolder = 'objects';
/** What browsers are told; the rest is the store's own. */
const keptHeaders = ['content-type', 'cache-control', 'content-disposition'];

/** A client of the installation's own store, with all rights. */
export const storeClient = ({ endpoint, root }: Storage): Client =>
  boundedClient({ endpoint, region: 'us-east-1', ...root });

/** What is staged belongs to an upload under way, which is begun anew after a restore. */
const lastingBuckets = ({ buckets }: Storage) => [buckets.public, buckets.files];

export async function* objectsOf(
  storage: Storage,
): AsyncGenerator<{ bucket: string; key: string; size: number }> {
  const client = storeClient(storage);
  for (const bucket of lastingBuckets(storage))
    for await (const { name, size } of client.listObjectsV2(bucket, '', true))
      if (name) yield { bucket, key: name, size };
}

/**
 * Copies the objects into `place` that are not there yet, and answers the names of all that the store has. An object never
 * changes under its key, so one copy serves every backup.
 */
export async function copyObjects(
  storage: Storage,
  place: BackupPlace,
  keys: SealingKeys,
): Promise<string[]> {
  const client = storeClient(storage);
  const there = new Set(await place.list(objectsFolder));
  const names: string[] = [];
  await forEach(objectsOf(storage), async ({ bucket, key }) => {
    const name = `${createHash('sha256').update(`${bucket}/${key}`).digest('hex')}.age`;
    if (!there.has(name)) {
      const path = `${objectsFolder}/${name}`;
      const sealed = await sealedObject(client, { bucket, key }, path, keys);
      if (!sealed) return;
      await place.write(path, sealed);
    }
    names.push(name);
  });
  return names;
}

async function sealedObject(
  client: Client,
  { bucket, key }: Pick<Head, 'bucket' | 'key'>,
  path: string,
  keys: SealingKeys,
) {
  try {
    const { size, metaData } = await client.statObject(bucket, key);
    const told = metaData as Record<string, string>;
    const headers = Object.fromEntries(
      keptHeaders.flatMap((name) => (told[name] ? [[name, told[name]]] : [])),
    );
    const head: Head = { bucket, key, size, headers };
    const bytes = await client.getObject(bucket, key);
    async function* content() {
      yield Buffer.from(`${JSON.stringify(head)}\n`);
      yield* bytes as AsyncIterable<Buffer>;
    }
    return await seal(Readable.from(content()), path, keys);
  } catch (error) {
    // Removed since it was listed.
    if (['NotFound', 'NoSuchKey'].includes((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

/** Makes the buckets hold the copied objects of these names, and nothing else. */
export async function restoreObjects(
  storage: Storage,
  place: BackupPlace,
  names: readonly string[],
  keys: OpeningKeys,
): Promise<void> {
  const client = storeClient(storage);
  await forEach(objectsOf(storage), ({ bucket, key }) => client.removeObject(bucket, key));
  await forEach(names, async (name) => {
    const path = `${objectsFolder}/${name}`;
    const content = await unseal(await place.read(path), path, keys);
    const { bucket, key, size, headers } = await headOf(content);
    await client.putObject(bucket, key, content, size, headers);
  });
}

async function headOf(content: Readable): Promise<Head> {
  let read = Buffer.alloc(0);
  for (;;) {
    const chunk = (content.read() as Uint8Array | null) ?? (await nextOf(content));
    read = Buffer.concat([read, chunk]);
    const end = read.indexOf('\n');
    if (end < 0) continue;
    if (end + 1 < read.length) content.unshift(read.subarray(end + 1));
    return JSON.parse(read.subarray(0, end).toString()) as Head;
  }
}

async function nextOf(content: Readable): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const broken = (error?: Error) => reject(error ?? new Error('A copied object has no head.'));
  content.once('readable', resolve).once('error', broken).once('end', broken);
  await promise.finally(() => content.off('readable', resolve).off('error', broken).off('end', broken));
  return (content.read() as Uint8Array | null) ?? Buffer.alloc(0);
}

/** The copies that none of `names` tells of. */
export async function orphanedCopies(place: BackupPlace, names: ReadonlySet<string>): Promise<string[]> {
  return (await place.list(objectsFolder)).filter((name) => !names.has(name));
}
