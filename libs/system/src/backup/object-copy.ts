import type { Client } from 'minio';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { BackupPlace } from './backup-place.ts';
import {
  type OpeningKeys,
  readToEnd,
  encryptAndSign,
  type SealingKeys,
  decryptAndVerify,
} from './sealed-file.ts';
import { boundedClient } from './bounded-client.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';

type Storage = PartsDescription['minio'];

/** The header line of a copied object, before its bytes. */
interface Head {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly headers: Record<string, string>;
}

/** The folder of object copies that all backups of a place share. */
export const objectsFolder = 'objects';
/** The headers of an object that a restore sets again. The store sets all others itself. */
const keptHeaders = ['content-type', 'cache-control', 'content-disposition'];

/** A client of the installation's own store with all rights. */
export const storeClient = ({ endpoint, root }: Storage): Client =>
  boundedClient({ endpoint, region: 'us-east-1', ...root });

/** Without the staging bucket: its objects belong to running uploads, which users restart after a restore. */
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
 * Copies objects to `place` that it does not contain yet. Returns the names of the copies of all objects in
 * the store. Objects are immutable, so all backups share one copy.
 */
export async function copyObjects(
  storage: Storage,
  place: BackupPlace,
  keys: SealingKeys,
): Promise<string[]> {
  const client = storeClient(storage);
  const there = new Set(await place.list(objectsFolder));
  const names: string[] = [];
  await forEachConcurrently(objectsOf(storage), async ({ bucket, key }) => {
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
    const metadata = metaData as Record<string, string>;
    const headers = Object.fromEntries(
      keptHeaders.flatMap((name) => (metadata[name] ? [[name, metadata[name]]] : [])),
    );
    const head: Head = { bucket, key, size, headers };
    const bytes = await client.getObject(bucket, key);
    async function* content() {
      yield Buffer.from(`${JSON.stringify(head)}\n`);
      yield* bytes as AsyncIterable<Buffer>;
    }
    return await encryptAndSign(Readable.from(content()), path, keys);
  } catch (error) {
    // Skips an object that was deleted after it was listed.
    if (['NotFound', 'NoSuchKey'].includes((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

/**
 * Verifies the signatures of these copied objects.
 *
 * @throws Error if a copy was written without the signing key.
 */
export async function requireSigned(
  place: BackupPlace,
  names: readonly string[],
  keys: OpeningKeys,
): Promise<void> {
  await forEachConcurrently(names, async (name) => {
    const path = `${objectsFolder}/${name}`;
    await readToEnd(await decryptAndVerify(await place.read(path), path, keys));
  });
}

/** Replaces the contents of the buckets by the copied objects of these names. */
export async function restoreObjects(
  storage: Storage,
  place: BackupPlace,
  names: readonly string[],
  keys: OpeningKeys,
): Promise<void> {
  const client = storeClient(storage);
  await forEachConcurrently(objectsOf(storage), ({ bucket, key }) => client.removeObject(bucket, key));
  await forEachConcurrently(names, async (name) => {
    const path = `${objectsFolder}/${name}`;
    const content = await decryptAndVerify(await place.read(path), path, keys);
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

/** The copies that `names` does not contain. */
export async function orphanedCopies(place: BackupPlace, names: ReadonlySet<string>): Promise<string[]> {
  return (await place.list(objectsFolder)).filter((name) => !names.has(name));
}
