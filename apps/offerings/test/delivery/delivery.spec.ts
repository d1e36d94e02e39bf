import { type Caller, type NewOffering, type Offering, offerings, type StoredFile } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  makeStoredFile,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let owner: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(() => {
  owner = makeCaller();
});

const draft: Omit<NewOffering, 'coverImage'> = {
  title: 'Letters',
  description: '',
  price: '€12',
  type: 'eBook',
  paymentUrl: 'https://pay.example.com/letters',
};
const create = (changes: Partial<NewOffering> = {}) =>
  service.ask(offerings.create, { ...draft, coverImage: randomPicture(), ...changes }, owner);
const update = (id: string, changes: Partial<NewOffering>) =>
  service.ask(offerings.update, { ...draft, ...changes, id }, owner);
const rotate = (id: string, by = owner) => service.ask(offerings.rotateKey, { id }, by);
const download = ({ id }: Offering, key?: string, by?: Caller, creatorId = owner.uid) =>
  service.ask(offerings.download, { creatorId, id, key }, by);
const missing = { code: 'not_found', message: 'Offering not found.' };
const only = (file: StoredFile) => ({ files: [{ file }] });
const delivered = (file: StoredFile) => ({ ...file, note: '', updatedAt: null });

describe('the file of an offering', () => {
  test('can be set, kept by an edit without it, replaced and removed', async () => {
    const [first, second] = [makeStoredFile(), makeStoredFile()];
    const { id, files } = await create(only(first));
    expect(files).toEqual([delivered(first)]);
    expect((await update(id, { title: 'Renamed' })).files).toEqual(files);
    expect((await update(id, only(second))).files).toEqual([delivered(second)]);
    expect((await update(id, { files: [] })).files).toEqual([]);
    expect((await service.ask(offerings.readOwn, { id }, owner)).files).toEqual([]);
    expect((await update(id, only(first))).files).toEqual(files);
  });

  test('has its id in the event of each change', async () => {
    const [first, second] = [makeStoredFile(), makeStoredFile()];
    const { id } = await create(only(first));
    await update(id, only(second));
    await update(id, { files: [] });
    await service.ask(offerings.remove, { id }, owner);
    await service.events.next(offerings.removed, (facts) => facts.id === id);
    const of = (event: typeof offerings.changed) =>
      service.events
        .all(event)
        .filter((facts) => facts.id === id)
        .map(({ fileIds, version }) => [version, fileIds]);
    expect(of(offerings.published)).toEqual([[1, [first.id]]]);
    expect(of(offerings.changed)).toEqual([
      [2, [second.id]],
      [3, []],
    ]);
    expect(of(offerings.removed)).toEqual([[4, []]]);
  });
});

describe('the delivery key', () => {
  test('is visible to the owner alone, and in no event', async () => {
    const [one, two] = [await create(only(makeStoredFile())), await create()];
    expect(one.deliveryKey).toMatch(/^[\w-]{32}$/);
    expect(one.deliveryKey).not.toBe(two.deliveryKey);
    const { items } = await service.ask(offerings.listOwn, {}, owner);
    expect(items.map(({ deliveryKey }) => deliveryKey)).toContain(one.deliveryKey);
    const { deliveryKey } = await rotate(one.id);
    await update(one.id, { title: 'Renamed' });
    await service.events.next(offerings.changed, ({ id }) => id === one.id);
    const seen = JSON.stringify([
      await service.ask(offerings.listPublic, { creatorId: owner.uid }),
      await download(one, deliveryKey),
      service.events.all(offerings.published),
      service.events.all(offerings.changed),
    ]);
    expect(seen).toContain(one.id);
    for (const key of [one.deliveryKey, deliveryKey]) expect(seen).not.toContain(key);
  });

  test('opens the file with and without an account', async () => {
    const file = makeStoredFile();
    const offering = await create(only(file));
    const { coverImage } = offering;
    const page = {
      title: 'Letters',
      type: 'eBook',
      description: '',
      coverImage,
      deliveryText: '',
      deliveryUrl: null,
      schedule: null,
    };
    const opened = { ...page, files: [delivered(file)], keyNeeded: false };
    expect(await download(offering, offering.deliveryKey)).toEqual(opened);
    expect(await download(offering, offering.deliveryKey, makeCaller())).toEqual(opened);
  });

  test('is valid immediately after a rotation, and the old one is not', async () => {
    const offering = await create(only(makeStoredFile()));
    const { deliveryKey, version, files } = await rotate(offering.id);
    expect(deliveryKey).not.toBe(offering.deliveryKey);
    expect([version, files]).toEqual([offering.version, offering.files]);
    expect(await download(offering, deliveryKey)).toMatchObject({ files });
    await expect(download(offering, offering.deliveryKey)).rejects.toMatchObject(missing);
  });

  test('is rotated by its owner only, and kept by an edit', async () => {
    const offering = await create();
    await expect(rotate(offering.id, makeCaller())).rejects.toMatchObject({ code: 'forbidden' });
    await expect(service.ask(offerings.rotateKey, { id: offering.id })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const { deliveryKey } = await update(offering.id, { title: 'Renamed' });
    expect(deliveryKey).toBe(offering.deliveryKey);
  });

  test('is not_found if it does not match offering and creator, even for the owner', async () => {
    const [offering, other] = [await create(only(makeStoredFile())), await create()];
    for (const by of [undefined, makeCaller(), owner]) {
      for (const key of ['', 'wrong', other.deliveryKey, `${offering.deliveryKey}x`]) {
        await expect(download(offering, key, by)).rejects.toMatchObject(missing);
      }
    }
    const elsewhere = download(offering, offering.deliveryKey, undefined, makeCaller().uid);
    await expect(elsewhere).rejects.toMatchObject(missing);
  });
});

describe('without a key', () => {
  test('the owner gets the file, other signed-in callers the page, and visitors are refused', async () => {
    const file = makeStoredFile();
    const offering = await create(only(file));
    expect(await download(offering, undefined, owner)).toMatchObject({
      files: [delivered(file)],
      keyNeeded: false,
    });
    expect(await download(offering, undefined, makeCaller())).toEqual({
      title: 'Letters',
      type: 'eBook',
      description: '',
      coverImage: offering.coverImage,
      files: [],
      deliveryText: '',
      deliveryUrl: null,
      schedule: null,
      keyNeeded: true,
    });
    await expect(download(offering)).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  test('an offering without a file needs no key', async () => {
    const offering = await create();
    for (const by of [owner, makeCaller()]) {
      expect(await download(offering, undefined, by)).toMatchObject({ files: [], keyNeeded: false });
    }
  });

  test('an offering is found only under its own creator', async () => {
    const offering = await create();
    await expect(download(offering, undefined, owner, makeCaller().uid)).rejects.toMatchObject(missing);
  });
});

describe('the seller', () => {
  const seller = (id: string, creatorId = owner.uid) => service.ask(offerings.findSeller, { creatorId, id });

  test('of an offering that is or was public is public, in any later state [offerings-5]', async () => {
    const { id } = await create();
    expect(await seller(id)).toEqual({ uid: owner.uid });
    for (const state of ['hidden', 'archived', 'sold_out', 'draft'] as const) {
      await update(id, { state });
      expect(await seller(id)).toEqual({ uid: owner.uid });
    }
  });

  test('of a removed offering is public if the offering was [offerings-6]', async () => {
    const [{ id }, draft] = [await create(), await create({ state: 'draft' })];
    await service.ask(offerings.remove, { id }, owner);
    await service.ask(offerings.remove, { id: draft.id }, owner);
    expect(await seller(id)).toEqual({ uid: owner.uid });
    await expect(seller(id, makeCaller().uid)).rejects.toMatchObject(missing);
    await expect(seller(draft.id)).rejects.toMatchObject(missing);
  });

  test('of a draft, or under another creator, is not_found [offerings-7]', async () => {
    const [unseen, other] = [await create({ state: 'draft' }), await create()];
    await expect(seller(unseen.id)).rejects.toMatchObject(missing);
    await expect(seller(other.id, makeCaller().uid)).rejects.toMatchObject(missing);
    await update(unseen.id, { state: 'published' });
    expect(await seller(unseen.id)).toEqual({ uid: owner.uid });
  });
});
