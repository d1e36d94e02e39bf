import { expect, it } from '@jest/globals';
import type { Parts } from '../src/index.ts';
import { provision } from '../src/provision/provision.ts';
import { type Keys, signedRequests } from '../src/provision/s3-client.ts';

/** How set-up treats the keys of media, for every kind of store. */
export function keyTests(started: () => Parts): void {
  it('replaces the changed secret of a key, and refuses the former one', async () => {
    const parts = started();
    const { keys, buckets, endpoint } = parts.minio;
    const as = (key: Keys) => signedRequests(endpoint, key);
    const changed = { ...keys.work, secretKey: 'another-secret-for-work' };
    const path = `/${buckets.staging}?list-type=2`;
    await provision.minio({ ...parts, minio: { ...parts.minio, keys: { ...keys, work: changed } } });
    expect((await as(changed)('GET', path)).ok).toBe(true);
    await expect(as(keys.work)('GET', path)).rejects.toThrow('SignatureDoesNotMatch');
    await provision.minio(parts);
    expect((await as(keys.work)('GET', path)).ok).toBe(true);
  });
}
