import { type Caller, media } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MediaRepository } from '../src/uploads/media.repository.ts';
import { completePicture, request, startMedia, upload, uploadFile } from './media-under-test.ts';
import { type Replica, startReplica } from './replica.ts';
import { plain } from './sample-pictures.ts';

const hour = 3_600_000;
/** Stores refuse requests if the clocks differ by more than 15 minutes. */
const minutes = 14 * 60_000;
let service: ServiceUnderTest;
let replica: Replica;
let caller: Caller;
let png: Buffer;

beforeAll(async () => {
  const environment = {
    SWEEP_INTERVAL_MS: String(24 * hour),
    UNFINISHED_AGE_MS: '600000',
    UNATTACHED_AGE_MS: '600000',
  };
  service = await startMedia(environment);
  replica = startReplica(environment);
  png = await plain({ width: 100, height: 50 }).png().toBuffer();
});
afterAll(async () => {
  await replica.stop();
  await service.stop();
});
beforeEach(() => {
  caller = makeCaller();
});
afterEach(() => {
  globalThis.Date = Clock;
  jest.restoreAllMocks();
});

const Clock = Date;
/** Sets this process's clock `offMs` ahead; from there the clock runs on. */
function putClock(offMs: number): void {
  globalThis.Date = class extends Clock {
    constructor(...parts: [] | [number | string | Date]) {
      if (parts.length === 0) super(Clock.now() + offMs);
      else super(...parts);
    }
    static override now = () => Clock.now() + offMs;
  } as DateConstructor;
}

const query = <Row>(sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, async (client) => (await client.query(sql, values)).rows as Row[]);
/** Minutes until the upload expires, by the database's clock. */
const minutesLeft = async (id: string) =>
  (
    await query<{ left: number }>(
      'SELECT round(extract(epoch FROM remove_after - now()) / 60)::int AS left FROM upload WHERE id = $1',
      [id],
    )
  )[0]?.left;
const age = (id: string) =>
  query("UPDATE upload SET remove_after = now() - interval '1 second' WHERE id = $1", [id]);
const take = () => replica.uploads.beginRemoval({ most: 1000, leaseMs: 1 });

describe.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])('a replica whose clock is %s', (_, offMs) => {
  it('removes no upload before its expiry, and each after it [media-17]', async () => {
    const kept = await upload(service, caller, png);
    const over = await upload(service, caller, png);
    await age(over);
    putClock(offMs);
    const taken = (await take()).map(({ id }) => id);
    expect(taken).toContain(over);
    expect(taken).not.toContain(kept);
  });

  it('grants for as long as other replicas', async () => {
    putClock(offMs);
    const { id, expiresAt } = await service.ask(media.grant, request(), caller);
    globalThis.Date = Clock;
    expect(await minutesLeft(id)).toBe(10);
    expect(Math.abs(new Date(expiresAt).getTime() - Date.now() - 600_000)).toBeLessThan(60_000);
    const [row] = await query<{ old: boolean }>(
      'SELECT abs(extract(epoch FROM now() - created_at)) > 60 AS old FROM upload WHERE id = $1',
      [id],
    );
    expect(row).toEqual({ old: false });
  });

  it('leaves an upload to the replica that checks it', async () => {
    const id = await upload(service, caller, png);
    expect(await replica.uploads.beginCheck(id, 60_000, 0)).toMatchObject({ id });
    const [beginCheck, find] = (['beginCheck', 'find'] as const).map((step) =>
      jest.spyOn(service.app.get(MediaRepository), step),
    );
    putClock(offMs);
    const answer = completePicture(service, caller, id);
    await waitFor(() => expect(find!.mock.calls.length).toBeGreaterThan(3), { timeout: 20_000 });
    expect(beginCheck).not.toHaveBeenCalled();
    // The service also returns a result that another replica has recorded.
    const refusal = { code: 'unsupported_picture', message: 'This is no picture.' } as const;
    expect(await replica.uploads.endCheck(id, { kind: 'refused', refusal }, 600_000)).toBe(true);
    await expect(answer).rejects.toMatchObject(refusal);
  });

  it('holds an upload for as long as other replicas', async () => {
    const id = await uploadFile(service, caller, png);
    await service.ask(media.complete, { id, kind: 'file' }, caller);
    await query("UPDATE upload SET remove_after = now() + interval '1 minute' WHERE id = $1", [id]);
    putClock(offMs);
    const claim = { id, purpose: 'offering-file' } as const;
    await expect(service.ask(media.resolve, claim, caller)).resolves.toMatchObject({ id });
    globalThis.Date = Clock;
    expect(await minutesLeft(id)).toBe(10);
  });
});

describe.each([
  ['ahead', minutes],
  ['behind', -minutes],
])('a replica whose clock is minutes %s', (_, offMs) => {
  it('signs a link that is valid immediately', async () => {
    const id = await uploadFile(service, caller, png);
    await service.ask(media.complete, { id, kind: 'file' }, caller);
    putClock(offMs);
    const { url, expiresAt } = await service.ask(media.linkFile, { id, uid: caller.uid });
    globalThis.Date = Clock;
    expect(new Date(expiresAt).getTime()).toBeGreaterThan(Date.now());
    expect((await fetch(url)).status).toBe(200);
  });

  it('sweeps only expired uploads', async () => {
    const kept = await uploadFile(service, caller, png);
    const over = await uploadFile(service, caller, png);
    await age(over);
    putClock(offMs);
    await replica.remover.sweep(new AbortController().signal);
    globalThis.Date = Clock;
    expect([await minutesLeft(kept), await minutesLeft(over)]).toEqual([10, undefined]);
    const file = { id: kept, kind: 'file' } as const;
    await expect(service.ask(media.complete, file, caller)).resolves.toMatchObject({ id: kept });
  });
});
