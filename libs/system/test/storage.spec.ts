import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startParts, type Parts, waitFor } from '../src/index.ts';
import { encryptForAdmin } from '../src/provision/minio-admin.ts';
import { type Keys, signedRequests } from '../src/provision/s3-client.ts';
import { provision } from '../src/provision/provision.ts';
import { keyTests } from './storage-keys.tests.ts';

let parts: Parts;
beforeAll(async () => {
  // A first run has to build it.
  parts = await startParts({ only: ['minio'] });
}, 600_000);
afterAll(() => parts.stop());

describe('MinIO', () => {
  const as = (key: Keys) => signedRequests(parts.minio.endpoint, key);
  const asRoot = () => as(parts.minio.root);

  it('removes the shared key of earlier releases', async () => {
    const { root, buckets } = parts.minio;
    const former = { accessKey: 'formerkeyofthemedia', secretKey: 'its-secret-of-then' };
    const rights = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['s3:*'], Resource: ['arn:aws:s3:::*'] }],
    };
    const body = encryptForAdmin(
      root.secretKey,
      JSON.stringify({ ...former, policy: rights, name: 'media' }),
    );
    await asRoot()('PUT', '/minio/admin/v3/add-service-account', body);
    await as(former)('PUT', `/${buckets.files}/former.txt`, 'text');

    const upgraded = { ...parts, minio: { ...parts.minio, formerKeys: [former.accessKey] } };
    await provision.minio(upgraded);
    await expect(as(former)('GET', `/${buckets.files}/former.txt`)).rejects.toThrow('InvalidAccessKeyId');
    await provision.minio(upgraded);
  });

  keyTests(() => parts);

  it('allows anonymous reads of a public object by its name, and nothing else', async () => {
    const { endpoint } = parts.minio;
    await asRoot()('PUT', '/stoa-public/a.txt', 'text');
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${endpoint}${path}`, { method })).status;

    expect(await status('/stoa-public/a.txt')).toBe(200);
    expect(await status('/stoa-public?list-type=2')).toBe(403);
    expect(await status('/stoa-public/a.txt', 'DELETE')).toBe(403);
    expect(await status('/stoa-files/a.txt')).toBe(403);
    expect(await status('/stoa-staging/a.txt')).toBe(403);
  });

  it('keeps the rules of a bucket that was made while it started', async () => {
    for (let start = 0; start < 3; start += 1) {
      const fresh = await startParts({ only: ['minio'], store: 'minio' });
      try {
        const { endpoint, root } = fresh.minio;
        // From here on it no longer replaces what it has in memory by what it read from the disk before.
        await waitFor(async () => expect((await fetch(`${endpoint}/minio/health/cluster`)).ok).toBe(true));
        const { text } = await signedRequests(endpoint, root)('GET', '/stoa-public?policy');
        expect(text).toContain('s3:GetObject');
      } finally {
        await fresh.stop();
      }
    }
  }, 180_000);

  it('allows CORS reads from the site only', async () => {
    const allowed = async (origin: string) => {
      const response = await fetch(`${parts.minio.endpoint}/stoa-public/a.txt`, { headers: { origin } });
      return response.headers.get('access-control-allow-origin');
    };
    expect(await allowed(parts.siteUrl)).toBe(parts.siteUrl);
    expect(await allowed('http://elsewhere.example')).toBeNull();
  });
});
