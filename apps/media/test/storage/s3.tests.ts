import { Client } from 'minio';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { MediaConfig } from '../../src/media.config.ts';
import { StorageClient } from '../../src/storage/storage.client.ts';
import {
  buckets,
  endpoint,
  keys,
  keysIn,
  storeAddress,
  post,
  storageEnvironment,
  store,
} from '../media-under-test.ts';

/** Tests of what this service requires of an object store. Each store has a spec file that runs them. */
export function s3Tests(): void {
  const folder = `conformance-${randomUUID()}`;
  const cacheForever = 'public, max-age=31536000, immutable';
  let storage: StorageClient;

  beforeAll(() => {
    const unused = {
      SERVICE_NAME: 'media',
      NATS_URL: '-',
      NATS_USER: '-',
      NATS_PASSWORD: '-',
      HEALTH_PORT: '0',
    };
    Object.assign(
      process.env,
      unused,
      { SITE_URL: 'http://site.test', DATABASE_URL: '-' },
      storageEnvironment,
    );
    storage = new StorageClient(new MediaConfig());
  });

  describe('a presigned post', () => {
    const terms = (changes: { key?: string; expiresAt?: Date } = {}) => ({
      key: `${folder}/${randomUUID()}`,
      contentType: 'image/png',
      mostBytes: 1000,
      expiresAt: new Date(Date.now() + 60_000),
      ...changes,
    });

    it('stores the file under its key [media-27]', async () => {
      const key = `${folder}/exact`;
      expect((await post(await storage.signPost(terms({ key })), Buffer.alloc(1000, 7))).ok).toBe(true);
      expect(await storage.readPosted(key, 1000)).toEqual(Buffer.alloc(1000, 7));
      expect((await store.statObject(buckets.staging, key)).metaData['content-type']).toBe('image/png');
    });

    it.each<[string, Buffer, Record<string, string>]>([
      ['one byte too many', Buffer.alloc(1001), {}],
      ['no byte at all', Buffer.alloc(0), {}],
      ['another key', Buffer.alloc(10), { key: `${folder}/elsewhere` }],
      ['another type', Buffer.alloc(10), { 'Content-Type': 'text/html' }],
      ['unsigned metadata', Buffer.alloc(10), { 'X-Amz-Meta-Snowball-Auto-Extract': 'true' }],
      ['a public access rule', Buffer.alloc(10), { acl: 'public-read' }],
      ['a forged signature', Buffer.alloc(10), { 'x-amz-signature': '0'.repeat(64) }],
    ])('refuses %s', async (_, bytes, changes) => {
      const formTerms = terms();
      const { status } = await post(await storage.signPost(formTerms), bytes, changes);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(await storage.readPosted(formTerms.key, 1000)).toBeNull();
      expect(await keysIn(buckets.staging, `${folder}/elsewhere`)).toEqual([]);
    });

    it.each([buckets.public, buckets.files])('refuses the bucket %s', async (bucket) => {
      const formTerms = terms();
      const { url, fields } = await storage.signPost(formTerms);
      const elsewhere = url.replace(buckets.staging, bucket);
      for (const changes of [undefined, { bucket }]) {
        expect((await post({ url: elsewhere, fields }, Buffer.alloc(10), changes)).status).toBe(403);
      }
      expect(await keysIn(bucket, formTerms.key)).toEqual([]);
    });

    it('reveals the key for uploads, a link the key for links, and neither the work key', async () => {
      const form = JSON.stringify(await storage.signPost(terms()));
      const policy = Buffer.from(
        (JSON.parse(form) as { fields: { policy: string } }).fields.policy,
        'base64',
      );
      const link = await storage.signFile('any', 'letters.pdf', 60, new Date());
      const shown = [form, policy.toString(), link].join('\n');
      expect(form).toContain(keys.uploads.accessKey);
      expect(link).toContain(keys.links.accessKey);
      for (const secret of [keys.work.accessKey, ...Object.values(keys).map(({ secretKey }) => secretKey)])
        expect(shown).not.toContain(secret);
    });

    it('refuses a file after the form has expired', async () => {
      const late = terms({ expiresAt: new Date(Date.now() - 1000) });
      expect((await post(await storage.signPost(late), Buffer.alloc(10))).status).toBe(403);
    });
  });

  describe('objects', () => {
    it('are read no further than requested', async () => {
      const key = `${folder}/long`;
      await store.putObject(buckets.staging, key, Buffer.alloc(4_000_000));
      const read = await storage.readPosted(key, 100_000);
      expect(read?.length).toBeGreaterThan(100_000);
      expect(read?.length).toBeLessThan(2_000_000);
    });

    it('are put, listed and removed, and removing a missing one succeeds', async () => {
      const path = `profile_pictures/${folder}`;
      await storage.publish(`${path}/1.webp`, Buffer.from('one'), 'image/webp');
      await storage.publish(`${path}/2.webp`, Buffer.from('two'), 'image/webp');
      await storage.publish(`${path}-other/1.webp`, Buffer.from('other'), 'image/webp');
      await storage.unpublish(path);
      await storage.unpublish(path);
      expect(await keysIn(buckets.public, path)).toEqual([`${path}-other/1.webp`]);
      await storage.discardPosted(`${folder}/never`);
    });
  });

  describe('posted objects', () => {
    it('are removed by age, and younger or other ones stay', async () => {
      const kept = `${folder}/elsewhere-than-old`;
      for (const key of [`${folder}/old/1`, `${folder}/old/2`, kept])
        await store.putObject(buckets.staging, key, 'x');
      await storage.discardPostedBefore(new Date(Date.now() - 60_000), `${folder}/old/`);
      expect(await keysIn(buckets.staging, `${folder}/old/`)).toHaveLength(2);
      await storage.discardPostedBefore(new Date(Date.now() + 60_000), `${folder}/old/`);
      expect(await keysIn(buckets.staging, `${folder}/old/`)).toEqual([]);
      expect(await keysIn(buckets.staging, kept)).toEqual([kept]);
    });
  });

  describe('files', () => {
    it('are copied within the store, and only if unchanged since their check', async () => {
      const key = `${folder}/moved`;
      await store.putObject(buckets.staging, key, Buffer.from('first'), 5, { 'Content-Type': 'text/html' });
      const judged = await storage.findPosted(key);
      expect(judged).toMatchObject({ size: 5 });
      await storage.keepFile(key, judged!, key);
      expect((await store.statObject(buckets.files, key)).metaData['content-type']).toBe(
        'application/octet-stream',
      );
      await store.putObject(buckets.staging, key, Buffer.from('later'));
      await expect(storage.keepFile(key, judged!, key)).rejects.toMatchObject({ code: 'unavailable' });
      const response = await fetch(await storage.signFile(key, 'letters.pdf', 60, new Date()));
      expect(await response.text()).toBe('first');
      await storage.discardFile(key);
      await storage.discardFile(key);
      expect(await keysIn(buckets.files, key)).toEqual([]);
      expect(await storage.findPosted(`${folder}/never`)).toBeNull();
    });
  });

  describe('anonymous clients', () => {
    const at = (bucket: string, key = '') => `${endpoint}/${bucket}/${key}`;

    it('read a public picture with its headers, and cannot list pictures', async () => {
      const key = `profile_pictures/${folder}/1.webp`;
      await storage.publish(key, Buffer.from('one'), 'image/webp');
      const response = await fetch(at(buckets.public, key));
      expect(await response.text()).toBe('one');
      expect(response.headers.get('cache-control')).toBe(cacheForever);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect((await fetch(at(buckets.public))).status).toBe(403);
    });

    it.each([buckets.staging, buckets.files])('read nothing from %s', async (bucket) => {
      await store.putObject(bucket, `${folder}/secret`, 'secret');
      expect((await fetch(at(bucket, `${folder}/secret`))).status).toBe(403);
      expect((await fetch(at(bucket))).status).toBe(403);
    });

    it.each(Object.values(buckets))('write and remove nothing in %s', async (bucket) => {
      const key = `${folder}/kept`;
      await store.putObject(bucket, key, 'kept');
      const url = at(bucket, key);
      expect((await fetch(url, { method: 'PUT', body: 'changed' })).status).toBe(403);
      expect((await fetch(url, { method: 'DELETE' })).status).toBe(403);
      expect(await keysIn(bucket, key)).toEqual([key]);
    });
  });

  describe('a key', () => {
    const kept = `${folder}/kept-from-keys`;
    const clients = Object.entries(keys).map(([name, key]) => ({
      name,
      client: new Client({ ...storeAddress, ...key }),
    }));
    // The operations that each access key must not allow.
    const beyond: Record<string, string[]> = {
      uploads: ['get staging', 'get files', 'put public', 'put files', 'copy files'],
      links: ['get staging', 'put staging', 'put public', 'put files', 'copy files'],
      work: ['get files', 'put staging'],
    };
    const all = ['remove the bucket', 'open the bucket', 'drop the rules'];

    it.each(clients)('for $name permits nothing outside its purpose', async ({ name, client }) => {
      for (const bucket of Object.values(buckets)) await store.putObject(bucket, kept, 'kept');
      const opened = JSON.stringify({ Version: '2012-10-17', Statement: [] });
      const tries: Record<string, (bucket: string) => Promise<unknown>> = {
        get: (bucket) => client.getObject(bucket, kept),
        put: (bucket) => client.putObject(bucket, kept, 'changed'),
        copy: (bucket) => client.copyObject(bucket, kept, `/${buckets.staging}/${kept}`),
        'remove the bucket': (bucket) => client.removeBucket(bucket),
        'open the bucket': (bucket) => client.setBucketPolicy(bucket, opened),
        'drop the rules': (bucket) => client.setBucketPolicy(bucket, ''),
      };
      const done: string[] = [];
      for (const [what, attempt] of Object.entries(tries)) {
        for (const [place, bucket] of Object.entries(buckets)) {
          const operation = all.includes(what) ? what : `${what} ${place}`;
          if (!all.includes(what) && !beyond[name]?.includes(operation)) continue;
          if (
            await attempt(bucket).then(
              () => true,
              () => false,
            )
          )
            done.push(`${operation} at ${place}`);
        }
      }
      expect(done).toEqual([]);
      for (const bucket of Object.values(buckets)) {
        expect(await text(await store.getObject(bucket, kept))).toBe('kept');
      }
    });

    it.each(clients.filter(({ name }) => name !== 'work'))(
      'for $name lists and removes nothing',
      async ({ client }) => {
        for (const bucket of Object.values(buckets)) {
          await store.putObject(bucket, kept, 'kept');
          await expect(client.listObjectsV2(bucket, folder, true).toArray()).rejects.toThrow();
          await expect(client.removeObject(bucket, kept)).rejects.toThrow();
          expect(await keysIn(bucket, kept)).toEqual([kept]);
        }
      },
    );
  });
}
