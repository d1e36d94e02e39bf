import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BackupPlace } from './backup-place.ts';
import { boundedClient, type StoreOptions } from './bounded-client.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';

/**
 * Buffer of each file that is written, in bytes. An upload has at most ten thousand parts, so a file can have
 * 160 GB.
 */
const partBytes = 16 * 1024 * 1024;

/** An existing bucket, or a prefix in it, as a place of backups. */
export function bucketPlace(address: string, options: Omit<StoreOptions, 'partSize'>): BackupPlace {
  const { hostname: bucket, pathname } = new URL(address);
  const client = boundedClient({ ...options, partSize: partBytes });
  const prefix = pathname.replace(/^\/+|\/+$/g, '');
  const at = (name: string) => [prefix, name].filter(Boolean).join('/');
  /** Aborts an unfinished upload, which occupies space in the store and is not listed as a file. */
  const abandon = async (name: string) => {
    const upload = await client.findUploadId(bucket, name);
    if (upload) await client.abortMultipartUpload(bucket, name, upload);
  };
  return {
    address,
    async list(folder) {
      const below = at(folder) && `${at(folder)}/`;
      const names: string[] = [];
      for await (const item of client.listObjectsV2(bucket, below, false)) {
        const { name, prefix: inner } = item as { name?: string; prefix?: string };
        names.push((name ?? inner ?? '').slice(below.length).replace(/\/$/, ''));
      }
      return names.filter(Boolean);
    },
    async has(file) {
      try {
        await client.statObject(bucket, at(file));
        return true;
      } catch (error) {
        if (['NotFound', 'NoSuchKey'].includes((error as { code?: string }).code ?? '')) return false;
        throw error;
      }
    },
    read: (file) => client.getObject(bucket, at(file)),
    async write(file, content) {
      const chunks = content[Symbol.asyncIterator]() as AsyncIterableIterator<Uint8Array>;
      const first = await chunks.next();
      // An empty stream would become a multipart upload without parts, which every store rejects.
      if (first.done) return void (await client.putObject(bucket, at(file), Buffer.alloc(0)));
      // The S3 client never ends an upload whose source stream fails, so this stream passes the error on.
      const body = new PassThrough();
      try {
        await Promise.all([
          pipeline(withFirst(first.value, chunks), body),
          client.putObject(bucket, at(file), body),
        ]);
      } catch (error) {
        // If the store is unreachable, a later backup removes the unfinished upload.
        await abandon(at(file)).catch(() => undefined);
        throw error;
      } finally {
        body.destroy();
      }
    },
    removeFile: (file) => client.removeObject(bucket, at(file)),
    async removeFolder(folder) {
      // Sends one request for each object: not every store supports deleting a list.
      await forEachConcurrently(client.listObjectsV2(bucket, `${at(folder)}/`, true), async ({ name }) => {
        if (name) await client.removeObject(bucket, name);
      });
    },
    async removeUnfinished(before) {
      let [key, id, isLast] = ['', '', false];
      while (!isLast) {
        // MinIO lists unfinished uploads of the whole bucket or of one key, not of a prefix.
        const page = await client.listIncompleteUploadsQuery(bucket, '', key, id, '');
        for (const upload of page.uploads)
          if (upload.key.startsWith(at('') && `${at('')}/`) && upload.initiated < before)
            await client.abortMultipartUpload(bucket, upload.key, upload.uploadId);
        [key, id, isLast] = [page.nextKeyMarker, page.nextUploadIdMarker, !page.isTruncated];
      }
    },
  };
}

async function* withFirst<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}
