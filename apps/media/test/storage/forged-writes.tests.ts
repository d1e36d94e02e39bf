import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { forgeries, send } from './forged-requests.ts';
import { buckets, endpoint, keys, keysIn, store } from '../media-under-test.ts';

/** Tests for every supported object store. Each store has a spec file that runs them. */
export function forgedWritesTests(): void {
  const places = Object.entries(keys).flatMap(([name, { accessKey }]) =>
    Object.values(buckets).map((bucket) => ({ name, accessKey, bucket })),
  );

  // Upload forms and links show the id of an access key to everyone. Without its secret the id must be
  // useless.
  describe.each(places)('an invented signature by the key for $name at $bucket', ({ accessKey, bucket }) => {
    it.each(forgeries)('permits no $operation', async ({ variants }) => {
      const folder = `forged-${randomUUID()}`;
      const key = `${folder}/kept`;
      await store.putObject(bucket, key, 'kept');
      const uploadId = await store.initiateNewMultipartUpload(bucket, `${folder}/parts`, {});
      const target = { endpoint, bucket, key, accessKey, uploadId };
      const answers = await Promise.all(
        variants.map(async ({ name, build }) => ({ name, status: await send(build(target)) })),
      );
      expect(answers.length).toBe(108);
      expect(answers.filter(({ status }) => status < 400)).toEqual([]);
      expect(await text(await store.getObject(bucket, key))).toBe('kept');
      expect(await keysIn(bucket, folder)).toEqual([key]);
    });
  });
}
