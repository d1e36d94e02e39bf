import {
  creators,
  idsIn,
  identity,
  media,
  offerings,
  type ReviewFacts,
  withdrawalKey,
} from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { plain } from '../sample-pictures.ts';
import { buckets, completePicture, startMedia, store, upload, uploadFile } from '../media-under-test.ts';

let service: ServiceUnderTest;
let caller: ReturnType<typeof makeCaller>;
beforeAll(async () => {
  service = await startMedia();
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

/** The sorted ids of the withdrawn objects that the edge refuses; null if there is no list. */
const listOf = async (uid: string): Promise<string[] | null> => {
  const list = await store.getObject(buckets.public, withdrawalKey(uid)).catch(() => null);
  return list && idsIn(await text(list)).toSorted();
};
const becomes = (ids: string[] | null) =>
  waitFor(async () => expect(await listOf(caller.uid)).toEqual(ids && ids.toSorted()), { timeout: 5000 });

let clock = Date.now();
const now = () => new Date((clock += 1)).toISOString();
function review(outcome: ReviewFacts['outcome'], offeringId?: string, at = now()): Promise<void> {
  const offering = offeringId === undefined ? null : { id: offeringId, title: 'Letters' };
  const facts = { offering, outcome, reason: 'fraud', text: '', at } as const;
  return service.announce(creators.reviewed, { id: randomUUID(), uid: caller.uid, ...facts });
}

const cover = async () =>
  (
    await completePicture(
      service,
      caller,
      await upload(service, caller, await plain({ width: 64, height: 48 }).png().toBuffer()),
    )
  ).id;
async function file(): Promise<string> {
  const id = await uploadFile(service, caller, Buffer.from('a file'));
  await service.ask(media.complete, { id, kind: 'file' }, caller);
  return id;
}

let version = 1;
async function change(id: string, coverImageId: string, fileIds: string[] = []): Promise<void> {
  const facts = { id, creatorId: caller.uid, coverImageId, fileIds };
  await service.announce(offerings.changed, { ...facts, publicChange: 0, version: (version += 1) });
}

test('a hidden profile withdraws every object of its account until it is restored', async () => {
  expect(await listOf(caller.uid)).toBeNull();
  await review('hidden');
  await becomes([caller.uid]);
  await review('upheld');
  await review('restored');
  await becomes(null);
});

test('a hidden offering withdraws its cover and files, later ones too [media-30]', async () => {
  const [id, shown, first, second] = [randomUUID(), await cover(), await file(), await file()];
  await change(id, shown, [first, second]);
  await waitFor(async () => {
    await review('hidden', id);
    await becomes([id, shown, first, second]);
  });
  const [later, third] = [await cover(), await file()];
  await change(id, later, [first, third]);
  // Replaced uploads stay withdrawn until their objects are removed from the store.
  await becomes([id, shown, first, second, later, third]);
  await review('restored', id);
  await becomes(null);
});

test('restoring one page leaves the others withdrawn', async () => {
  const [id, other] = [randomUUID(), randomUUID()];
  await review('hidden', id);
  await review('hidden', other);
  await review('hidden');
  await becomes([caller.uid, id, other]);
  await review('restored');
  await becomes([id, other]);
  await review('restored', id);
  await becomes([other]);
});

test('the later of two decisions counts, in any order of arrival', async () => {
  const [first, second, last] = [now(), now(), now()];
  const [id, end] = [randomUUID(), randomUUID()];
  await review('restored', id, second);
  await review('hidden', id, first);
  await review('hidden', end, last);
  await becomes([end]);
});

test('a file of a hidden offering or profile gets no link', async () => {
  const [id, shown, sold] = [randomUUID(), await cover(), await file()];
  await change(id, shown, [sold]);
  const link = () => service.ask(media.linkFile, { id: sold, uid: caller.uid });
  const { url } = await link();
  expect(await (await fetch(url)).text()).toBe('a file');
  for (const hidden of [id, undefined]) {
    await review('hidden', hidden);
    await waitFor(() => expect(link()).rejects.toMatchObject({ code: 'not_found' }));
    await review('restored', hidden);
    await waitFor(async () => expect(await link()).toHaveProperty('url'));
  }
});

test('only the owner, and an operator while it is withdrawn, see a withdrawn picture [media-31]', async () => {
  const [id, shown, sold] = [randomUUID(), await cover(), await file()];
  await change(id, shown, [sold]);
  const operator = { ...makeCaller(), isOperator: true };
  const preview = (by: typeof caller, of = shown) => service.ask(media.previewPicture, { id: of }, by);
  const refusal = { code: 'not_found' };
  await expect(preview(operator)).rejects.toMatchObject(refusal);
  for (const hidden of [id, undefined]) {
    await review('hidden', hidden);
    await waitFor(async () => expect((await preview(operator)).url).toMatch(/^data:image\/webp;base64,UklG/));
    expect(await preview(caller)).toEqual(await preview(operator));
    await expect(preview(makeCaller())).rejects.toMatchObject(refusal);
    for (const by of [caller, operator]) await expect(preview(by, sold)).rejects.toMatchObject(refusal);
    await review('restored', hidden);
    await waitFor(() => expect(preview(operator)).rejects.toMatchObject(refusal));
    expect(await preview(caller)).toHaveProperty('url');
  }
});

test('a closed account is withdrawn, and no later decision changes that', async () => {
  await review('hidden', randomUUID());
  await service.announce(identity.closed, { uid: caller.uid, at: now() });
  await waitFor(async () => expect(await listOf(caller.uid)).toContain(caller.uid));
  await review('restored', undefined, new Date(clock + 60_000).toISOString());
  const { uid } = caller;
  caller = makeCaller();
  await review('hidden');
  await becomes([caller.uid]);
  expect(await listOf(uid)).toContain(uid);
});

test('concurrent decisions on several replicas leave the list of the last one', async () => {
  const replica = await service.addReplica();
  const ids = Array.from({ length: 12 }, () => randomUUID());
  await Promise.all(ids.map((id) => review('hidden', id)));
  await becomes(ids);
  await Promise.all(ids.slice(1).map((id) => review('restored', id)));
  await becomes(ids.slice(0, 1));
  await replica.stop();
});
