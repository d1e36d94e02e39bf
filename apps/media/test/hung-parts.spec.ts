import { media, offerings } from '@stoa/contracts';
import { withBudget } from '@stoa/messaging';
import { isDatabaseOutage } from '@stoa/platform';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MediaConfig } from '../src/media.config.ts';
import { StorageClient } from '../src/storage/storage.client.ts';
import { storeAddress, request, startMedia, upload, uploadFile } from './media-under-test.ts';
import { type PausableProxy, startPausableProxy } from './pausable-proxy.ts';
import { startReplica } from './replica.ts';
import { plain } from './sample-pictures.ts';

const soon = { timeout: 30_000, interval: 50 };
let store: PausableProxy;
let service: ServiceUnderTest;
let png: Buffer;

beforeAll(async () => {
  store = await startPausableProxy({ host: storeAddress.endPoint, port: storeAddress.port });
  service = await startMedia({ S3_ENDPOINT: `http://127.0.0.1:${store.port}` });
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterAll(async () => {
  store.resume();
  await service.stop();
  store.close();
});

const query = <Row>(sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rows as Row[]);

it('while the store hangs, links, grants and events continue without open transactions', async () => {
  const caller = makeCaller();
  const file = await uploadFile(service, caller, randomBytes(100));
  await service.ask(media.complete, { id: file, kind: 'file' }, caller);
  const covers: string[] = [];
  for (let number = 0; number < 8; number += 1) covers.push(await upload(service, caller, png));
  const [first = '', second = '', ...others] = covers;
  for (const id of [first, second]) await service.ask(media.complete, { id }, caller);
  const offering = {
    id: randomUUID(),
    creatorId: caller.uid,
    coverImageId: first,
    fileIds: [file],
    publicChange: 0,
    version: 1,
  };
  const uses = (id: string) => query('SELECT 1 FROM attachment WHERE upload_id = $1', [id]);

  store.pause();
  const requests = others.map((id) => service.ask(media.complete, { id }, caller));
  const ended = Promise.allSettled(requests);
  await waitFor(() => expect(store.heldChunks()).toBeGreaterThan(0), soon);
  const open = await query<{ count: number }>(
    `SELECT count(*)::int FROM pg_stat_activity
      WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND query LIKE '%upload%'`,
  );
  expect(open).toEqual([{ count: 0 }]);
  // The second and third event leave uploads unused, whose objects the hanging store cannot remove.
  await service.announce(offerings.published, offering);
  await service.announce(offerings.changed, { ...offering, coverImageId: second, version: 2 });
  await service.announce(offerings.changed, {
    ...offering,
    coverImageId: null,
    fileIds: [],
    publicChange: 0,
    version: 3,
  });
  await waitFor(
    async () => expect([await uses(first), await uses(second), await uses(file)]).toEqual([[], [], []]),
    soon,
  );
  const last = { ...offering, id: randomUUID(), coverImageId: others[0] ?? '', fileIds: [], publicChange: 0 };
  await service.announce(offerings.published, last);
  await waitFor(async () => expect(await uses(last.coverImageId)).toHaveLength(1), soon);
  await expect(service.ask(media.grant, request(), caller)).resolves.toHaveProperty('id');
  for (const { status, reason } of (await ended) as PromiseRejectedResult[]) {
    expect(status).toBe('rejected');
    expect(['unavailable', 'timeout']).toContain(reason.code);
  }
  store.resume();
  for (const id of others)
    await waitFor(
      async () => expect(await service.ask(media.complete, { id }, caller)).toMatchObject({ id }),
      soon,
    );
});

it('while the store hangs, a call ends with the deadline of its request', async () => {
  const storage = new StorageClient(new MediaConfig());
  store.pause();
  const since = performance.now();
  const published = withBudget(0, () => storage.publish('nowhere/1.avif', png, 'image/avif'), 300);
  await expect(published).rejects.toMatchObject({ code: expect.stringMatching(/unavailable|timeout/) });
  // Shorter than the client's own timeout of 8 s, so the deadline of the request must have ended the call.
  expect(performance.now() - since).toBeLessThan(4000);
  store.resume();
  await withBudget(0, () => storage.publish('nowhere/1.avif', png, 'image/avif'), 30_000);
  await storage.unpublish('nowhere');
});

it('while Postgres hangs, an upload is refused within the statement timeout', async () => {
  const caller = makeCaller();
  const id = await upload(service, caller, png);
  const url = new URL(service.databaseUrl);
  const postgres = await startPausableProxy({ host: url.hostname, port: Number(url.port) });
  url.host = `127.0.0.1:${postgres.port}`;
  const replica = startReplica({ DATABASE_URL: url.href });
  const resolved = replica.service.resolve(id, 'offering-cover', caller);
  await expect(resolved).rejects.toMatchObject({ code: 'not_found' });
  postgres.pause();
  const refused = replica.service.complete(id, 'picture', caller).catch((thrown: unknown) => thrown);
  // 30 s is shorter than the default statement timeout of the connection pool.
  const error: unknown = await Promise.race([refused, pause(30_000, 'still waiting', { ref: false })]);
  expect(isDatabaseOutage(error)).toBe(true);
  postgres.resume();
  await waitFor(
    async () => expect(await replica.service.complete(id, 'picture', caller)).toMatchObject({ id }),
    soon,
  );
  await replica.stop();
  postgres.close();
});
