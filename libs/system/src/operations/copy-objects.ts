import type { Client } from 'minio';
import { createHash } from 'node:crypto';
import { PassThrough, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDeepStrictEqual } from 'node:util';
import { boundedClient, type StoreOptions } from '../backup/bounded-client.ts';
import { forEachConcurrently } from '../backup/for-each-concurrently.ts';
import { Problem } from '../problem.ts';

interface Place {
  readonly bucket: string;
  readonly key: string;
}

interface Head {
  readonly size: number;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The result for an object: its copy was equal, was created, or was wrong and replaced; the source lacks it;
 * or its copy stays wrong.
 */
type Outcome = 'same' | 'copied' | 'replaced' | 'gone' | 'different';

export interface CopyOptions {
  readonly from: StoreOptions;
  readonly to: StoreOptions;
  /** The buckets, which have the same names in both stores. */
  readonly buckets: readonly string[];
  /** Resumes after this `bucket/key`: an earlier run has verified everything up to it. */
  readonly after?: string | undefined;
  /** Whether to remove objects that only the target has. */
  readonly removesExtra?: boolean | undefined;
  /** Called for each object whose copy was or stays wrong, and for each that only the target has. */
  readonly onFinding?: (what: string) => void;
  /** Called after each hundred objects with the key at which another run can resume. */
  readonly onProgress?: (copied: CopyCounts, after: string) => void;
}

export type CopyCounts = Record<Outcome | 'extra', number>;

/** Buffer of each object in transfer; eight are transferred concurrently. */
const partBytes = 8 * 1024 * 1024;
const progressEvery = 100;

/**
 * Copies every object with its headers from one store to another, and compares both by their bytes. An equal
 * copy is not sent again, so a run after an interruption continues.
 *
 * @throws Problem if a store is unreachable or a bucket is missing.
 */
export async function copyObjects(copying: CopyOptions): Promise<CopyCounts> {
  const { buckets, removesExtra, onFinding = () => undefined, onProgress = () => undefined } = copying;
  const [from, to] = [boundedClient(copying.from), boundedClient({ ...copying.to, partSize: partBytes })];
  for (const bucket of buckets)
    if (!(await to.bucketExists(bucket)))
      throw new Problem(`${copying.to.endpoint} has no bucket ${bucket}: run "set-up minio" for it first.`);

  const copied: CopyCounts = { same: 0, copied: 0, replaced: 0, gone: 0, different: 0, extra: 0 };
  const inOrder = new InOrder();
  await forEachConcurrently(listed(from, buckets, copying.after), async (place) => {
    const done = inOrder.begin(address(place));
    const outcome = await copyObject(from, to, place);
    copied[outcome] += 1;
    if (outcome === 'replaced') onFinding(`${address(place)} differed in its copy, which was made again`);
    if (outcome === 'different') onFinding(`${address(place)} differs in its copy, however often it is made`);
    const after = done();
    if (total(copied) % progressEvery === 0 && after) onProgress(copied, after);
  });
  await forEachConcurrently(listed(to, buckets), async (place) => {
    if (await headOf(from, place)) return;
    if (removesExtra) await to.removeObject(place.bucket, place.key);
    copied.extra += 1;
    onFinding(`${address(place)} is not in the source${removesExtra ? ', and was removed' : ''}`);
  });
  return copied;
}

const address = ({ bucket, key }: Place) => `${bucket}/${key}`;
const total = ({ extra: _, ...outcomes }: CopyCounts) =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);

/** All objects, bucket by bucket and in the order of their keys. */
async function* listed(client: Client, buckets: readonly string[], after = ''): AsyncGenerator<Place> {
  const [first, ...rest] = after.split('/');
  const left = after ? buckets.slice(buckets.indexOf(first ?? '')) : buckets;
  if (after && !buckets.includes(first ?? ''))
    throw new Problem(`"${after}" begins with none of the buckets ${buckets.join(', ')}.`);
  for (const bucket of left)
    for await (const { name } of client.listObjectsV2(
      bucket,
      '',
      true,
      bucket === first ? rest.join('/') : '',
    ))
      if (name) yield { bucket, key: name };
}

/** Most attempts to copy an object whose source changes or whose transfer fails. */
const mostTries = 3;

async function copyObject(from: Client, to: Client, place: Place): Promise<Outcome> {
  const there = await headOf(to, place);
  for (let tries = 1; ; tries += 1) {
    try {
      const source = await headOf(from, place);
      if (!source) return 'gone';
      if (
        tries === 1 &&
        isDeepStrictEqual(source, there) &&
        (await digestOf(from, place)) === (await digestOf(to, place))
      )
        return 'same';
      const sent = await send(from, to, place, source);
      const arrived = await headOf(to, place);
      if (isDeepStrictEqual(arrived?.headers, source.headers) && (await digestOf(to, place)) === sent)
        return there ? 'replaced' : 'copied';
      // A list of withdrawn objects may change while it is read.
      if (tries === mostTries) return 'different';
    } catch (error) {
      // Another attempt helps after a broken connection or a removed object, but not if the store is
      // unreachable (Problem).
      if (error instanceof Problem || tries === mostTries) throw error;
    }
  }
}

/** Sends an object and returns the digest of the bytes that the source sent. */
async function send(
  from: Client,
  to: Client,
  { bucket, key }: Place,
  { size, headers }: Head,
): Promise<string> {
  // Aborts the unfinished upload of an interrupted run. The client would continue it, but miscounts its
  // parts.
  const unfinished = size > partBytes ? await to.findUploadId(bucket, key) : undefined;
  if (unfinished) await to.abortMultipartUpload(bucket, key, unfinished);
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  // The S3 client never ends an upload whose source stream fails, so this stream passes the error on.
  const body = new PassThrough();
  try {
    const bytes = await from.getObject(bucket, key);
    await Promise.all([
      pipeline(bytes, hashing, body),
      to.putObject(bucket, key, body, size, { ...headers }),
    ]);
  } finally {
    body.destroy();
  }
  return hash.digest('hex');
}

async function digestOf(client: Client, { bucket, key }: Place): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await client.getObject(bucket, key)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

async function headOf(client: Client, { bucket, key }: Place): Promise<Head | undefined> {
  try {
    const { size, metaData } = await client.statObject(bucket, key);
    // Keeps only headers that the uploader has set, without those of the store itself, such as its kind of
    // encryption.
    const given = Object.entries(metaData as Record<string, string>).filter(
      ([name]) => !/^x-amz-/i.test(name),
    );
    return { size, headers: Object.fromEntries(given.toSorted()) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

const isMissing = (error: unknown) =>
  ['NotFound', 'NoSuchKey'].includes((error as { code?: string }).code ?? '');

/** Tracks work that starts in order and ends in any order, and knows up to which item all is finished. */
class InOrder {
  readonly #begun: { readonly name: string; isDone: boolean }[] = [];
  #last: string | undefined;

  /**
   * Returns a function to call at the end of this item. That function returns the last item up to which all
   * are finished.
   */
  begin(name: string): () => string | undefined {
    const piece = { name, isDone: false };
    this.#begun.push(piece);
    return () => {
      piece.isDone = true;
      while (this.#begun[0]?.isDone) this.#last = this.#begun.shift()?.name;
      return this.#last;
    };
  }
}
