import { testParts } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { forgeries, send } from './forged-requests.ts';
import { buckets, endpoint, keysIn, store } from './media-under-test.ts';

// Upload forms and links show an access key to everybody: it must be worth nothing without its secret.
const { accessKey } = testParts().minio.media;

describe.each(Object.values(buckets))('a made-up signature at %s', (bucket) => {
  it.each(forgeries)('opens no $operation', async ({ variants }) => {
    const folder = `forged-${randomUUID()}`;
    const key = `${folder}/kept`;
    await store.putObject(bucket, key, 'kept');
    const uploadId = await store.initiateNewMultipartUpload(bucket, `${folder}/parts`, {});
    const target = { endpoint, bucket, key, accessKey, uploadId };
    const fallen: string[] = [];
    for (const { name, build } of variants) {
      const status = await send(build(target));
      if (status >= 400) continue;
      fallen.push(`${name}: ${status}`);
      await store.putObject(bucket, key, 'kept');
    }
    expect(variants.length).toBe(90);
    expect(fallen).toEqual([]);
    expect(await text(await store.getObject(bucket, key))).toBe('kept');
    expect(await keysIn(bucket, folder)).toEqual([key]);
  });
});
