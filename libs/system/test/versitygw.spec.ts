import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startParts, storageKeys, type Parts } from '../src/index.ts';
import { provision } from '../src/provision/provision.ts';
import { signedRequests, type Keys } from '../src/provision/s3-client.ts';
import { ask, type S3Request } from './s3-requests.ts';
import { keyTests } from './storage-keys.tests.ts';

const account = (access: string) =>
  `<Account><Access>${access}</Access><Secret>its-own-secret</Secret><Role>admin</Role></Account>`;

describe('versitygw', () => {
  let parts: Parts;
  beforeAll(async () => {
    // A first run has to build it.
    parts = await startParts({ only: ['minio'], store: 'versitygw' });
  }, 600_000);
  afterAll(() => parts.stop());
  const as = (key: Keys) => signedRequests(parts.minio.endpoint, key);

  keyTests(() => parts);

  it('removes a key of earlier releases', async () => {
    const former = { accessKey: 'formerkeyofthemedia', secretKey: 'its-own-secret' };
    await as(parts.minio.root)('PATCH', '/create-user', account(former.accessKey));
    expect((await as(former)('PATCH', '/list-users')).ok).toBe(true);
    const upgraded = { ...parts, minio: { ...parts.minio, formerKeys: [former.accessKey] } };
    await provision.minio(upgraded);
    await expect(as(former)('PATCH', '/list-users')).rejects.toThrow('InvalidAccessKeyId');
    await provision.minio(upgraded);
  });

  const admin: Record<string, S3Request> = {
    'make a bucket': { method: 'PUT', path: '/another-bucket' },
    'list accounts': { method: 'PATCH', path: '/list-users' },
    'make an account': { method: 'PATCH', path: '/create-user', body: account('intruder') },
    'change an account': {
      method: 'PATCH',
      path: '/update-user?access=intruder',
      body: '<MutableProps><Role>admin</Role></MutableProps>',
    },
    'remove an account': { method: 'PATCH', path: '/delete-user?access=intruder' },
    'take a bucket': { method: 'PATCH', path: '/change-bucket-owner?bucket=stoa-files&owner=intruder' },
    'list every bucket': { method: 'PATCH', path: '/list-buckets' },
  };
  it.each(Object.entries(admin))('denies every key and anonymous requests: %s', async (_, request) => {
    for (const key of [...storageKeys.map((name) => parts.minio.keys[name]), null])
      expect(await ask(parts.minio.endpoint, key, request)).toBe(403);
  });
});
