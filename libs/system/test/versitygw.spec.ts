import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startParts, storageKeys, type Parts } from '../src/index.ts';
import { ask, type S3Request } from './s3-requests.ts';
import { keyTests } from './storage-keys.tests.ts';

const account = (access: string) =>
  `<Account><Access>${access}</Access><Secret>its-own-secret</Secret><Role>admin</Role></Account>`;

describe('versitygw', () => {
  let parts: Parts;
  beforeAll(async () => {
    // The first run on a machine builds versitygw.
    parts = await startParts({ only: ['minio'], store: 'versitygw' });
  }, 600_000);
  afterAll(() => parts.stop());

  keyTests(() => parts);

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
