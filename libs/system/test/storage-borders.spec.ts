import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startParts, storageKeys, type Parts, type StorageKey } from '../src/index.ts';
import { encryptForAdmin } from '../src/provision/minio-admin.ts';
import { signedRequests } from '../src/provision/s3-client.ts';
import { ask, postForm, type S3Request } from './s3-requests.ts';

let parts: Parts;
beforeAll(async () => {
  // The first run on a machine builds MinIO.
  parts = await startParts({ only: ['minio'] });
}, 600_000);
afterAll(() => parts.stop());

const names = { staging: 'stoa-staging', public: 'stoa-public', files: 'stoa-files' } as const;
type Bucket = keyof typeof names;
const places = Object.keys(names) as Bucket[];

const anybodysPolicy = (bucket: string) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: ['*'] },
        Action: ['s3:*'],
        Resource: [`arn:aws:s3:::${bucket}/*`],
      },
    ],
  });
const lifecycle =
  '<LifecycleConfiguration><Rule><ID>x</ID><Status>Enabled</Status><Filter><Prefix></Prefix></Filter><Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>';
const acl = { 'x-amz-acl': 'public-read-write' };

/** The requests to try in each bucket, which contains the objects `kept` and `old`. */
const operations: Record<string, (bucket: string) => S3Request> = {
  get: (bucket) => ({ method: 'GET', path: `/${bucket}/kept` }),
  head: (bucket) => ({ method: 'HEAD', path: `/${bucket}/kept` }),
  put: (bucket) => ({ method: 'PUT', path: `/${bucket}/new`, body: 'text' }),
  delete: (bucket) => ({ method: 'DELETE', path: `/${bucket}/old` }),
  list: (bucket) => ({ method: 'GET', path: `/${bucket}?list-type=2` }),
  'list of an older kind': (bucket) => ({ method: 'GET', path: `/${bucket}` }),
  'list of versions': (bucket) => ({ method: 'GET', path: `/${bucket}?versions` }),
  'list of unfinished uploads': (bucket) => ({ method: 'GET', path: `/${bucket}?uploads` }),
  'multipart upload': (bucket) => ({ method: 'POST', path: `/${bucket}/parts?uploads=` }),
  'copy from staging': (bucket) => ({
    method: 'PUT',
    path: `/${bucket}/copied`,
    headers: { 'x-amz-copy-source': `/${names.staging}/kept` },
  }),
  'copy from files': (bucket) => ({
    method: 'PUT',
    path: `/${bucket}/copied`,
    headers: { 'x-amz-copy-source': `/${names.files}/kept` },
  }),
  'read its policy': (bucket) => ({ method: 'GET', path: `/${bucket}?policy=` }),
  'write its policy': (bucket) => ({
    method: 'PUT',
    path: `/${bucket}?policy=`,
    body: anybodysPolicy(bucket),
  }),
  'drop its policy': (bucket) => ({ method: 'DELETE', path: `/${bucket}?policy=` }),
  'read its lifecycle': (bucket) => ({ method: 'GET', path: `/${bucket}?lifecycle=` }),
  'write its lifecycle': (bucket) => ({ method: 'PUT', path: `/${bucket}?lifecycle=`, body: lifecycle }),
  'open it to all': (bucket) => ({ method: 'PUT', path: `/${bucket}?acl=`, headers: acl }),
  'open an object to all': (bucket) => ({ method: 'PUT', path: `/${bucket}/kept?acl=`, headers: acl }),
  'remove it': (bucket) => ({ method: 'DELETE', path: `/${bucket}` }),
};

/** Requests that only the root user may send. Bodies are encrypted with the caller's secret. */
const admin: Record<string, (secret: string) => S3Request> = {
  'make a bucket': () => ({ method: 'PUT', path: '/another-bucket' }),
  'list accounts': () => ({ method: 'GET', path: '/minio/admin/v3/list-users' }),
  'list the access keys of others': () => ({
    method: 'GET',
    path: `/minio/admin/v3/list-service-accounts?user=${parts.minio.keys.work.accessKey}x`,
  }),
  'make an account': (secret) => ({
    method: 'PUT',
    path: '/minio/admin/v3/add-user?accessKey=intruder',
    body: encryptForAdmin(secret, JSON.stringify({ secretKey: 'its-own-secret', status: 'enabled' })),
  }),
  'make itself another access key': (secret) => ({
    method: 'PUT',
    path: '/minio/admin/v3/add-service-account',
    body: encryptForAdmin(secret, JSON.stringify({ accessKey: 'intruder', secretKey: 'its-own-secret' })),
  }),
  'make a policy': () => ({ method: 'PUT', path: '/minio/admin/v3/add-canned-policy?name=x', body: '{}' }),
  'take a policy': () => ({
    method: 'PUT',
    path: `/minio/admin/v3/set-user-or-group-policy?policyName=readwrite&userOrGroup=${parts.minio.keys.uploads.accessKey}&isGroup=false`,
  }),
  'read the configuration': () => ({ method: 'GET', path: '/minio/admin/v3/config' }),
  'read the metrics': () => ({ method: 'GET', path: '/minio/v2/metrics/cluster' }),
  'read the metrics of a newer kind': () => ({ method: 'GET', path: '/minio/metrics/v3' }),
  'read about the server': () => ({ method: 'GET', path: '/minio/admin/v3/info' }),
  'open the console': () => ({ method: 'GET', path: '/minio/console' }),
};

const lists = ['list', 'list of an older kind', 'list of versions'];
const inHeader: Record<StorageKey, Partial<Record<Bucket, string[]>>> = {
  // These keys sign requests of browsers and may send none themselves.
  uploads: {},
  links: {},
  work: {
    staging: ['get', 'head', 'delete', ...lists],
    public: ['put', 'delete', 'multipart upload', 'copy from staging', ...lists],
    files: ['put', 'delete', 'multipart upload', 'copy from staging'],
  },
};
const forms: Record<StorageKey, Bucket[]> = { uploads: ['staging'], links: [], work: ['public', 'files'] };
const links: Record<StorageKey, Bucket[]> = { uploads: [], links: ['files'], work: ['staging'] };

const endpoint = () => parts.minio.endpoint;
async function putObjects(objects: string[]): Promise<void> {
  const asRoot = signedRequests(endpoint(), parts.minio.root);
  for (const bucket of Object.values(names))
    for (const name of objects) await asRoot('PUT', `/${bucket}/${name}`, name);
}

const succeeded = (status: number) => status < 400;

async function allowed(key: StorageKey | null, place: Bucket): Promise<string[]> {
  await putObjects(['kept', 'old']);
  const done: string[] = [];
  for (const [name, request] of Object.entries(operations)) {
    const status = await ask(endpoint(), key && parts.minio.keys[key], request(names[place]));
    if (succeeded(status)) done.push(name);
  }
  return done;
}

describe.each(storageKeys)('the key for %s', (key) => {
  it.each(places)('has only the permissions that it needs in %s [system-25]', async (place) => {
    const expected = inHeader[key][place] ?? [];
    expect((await allowed(key, place)).toSorted()).toEqual(expected.toSorted());
  });

  it('signs forms for its own bucket only', async () => {
    const { keys } = parts.minio;
    const taken = [];
    for (const place of places) {
      if (succeeded(await postForm(endpoint(), keys[key], names[place], 'posted'))) taken.push(place);
    }
    expect(taken).toEqual(forms[key]);
  });

  it('signs links to its own bucket only', async () => {
    const { keys } = parts.minio;
    await putObjects(['kept']);
    const opened = [];
    for (const place of places) {
      const request = { method: 'GET', path: `/${names[place]}/kept` };
      if (succeeded(await ask(endpoint(), keys[key], request, true))) opened.push(place);
    }
    expect(opened).toEqual(links[key]);
  });

  it.each(Object.entries(admin))('cannot %s', async (_, request) => {
    const keys = parts.minio.keys[key];
    expect(await ask(endpoint(), keys, request(keys.secretKey))).toBe(403);
  });
});

describe('an anonymous request', () => {
  it.each(places)('may only read objects, and only of the public bucket: %s', async (place) => {
    expect(await allowed(null, place)).toEqual(place === 'public' ? ['get', 'head'] : []);
  });

  it.each(places)('cannot post a form without a policy to %s', async (place) => {
    const form = new FormData();
    form.append('key', 'posted');
    form.append('file', new Blob(['posted']), 'posted');
    const { status } = await fetch(`${endpoint()}/${names[place]}`, { method: 'POST', body: form });
    expect(status).toBeGreaterThanOrEqual(400);
  });

  it.each(Object.entries(admin))('cannot %s', async (_, request) => {
    expect(await ask(endpoint(), null, request('no-secret'))).toBe(403);
  });
});
