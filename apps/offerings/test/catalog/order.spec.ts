import { type Caller, identity, type NewOffering, type Offering, offerings } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let database: Client;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});
beforeEach(() => {
  caller = makeCaller();
});

function aDraft(title: string): NewOffering {
  const words = { title, description: '', price: '€12', paymentUrl: 'https://pay.example.com/x' };
  return { ...words, type: 'eBook', coverImage: randomPicture() };
}

const create = (title: string) => service.ask(offerings.create, aDraft(title), caller);
const ids = (...all: Offering[]) => all.map(({ id }) => id);
const own = () => service.ask(offerings.listOwn, {}, caller);
const reorder = (order: string[], pinnedId: string | null = null, editedVersion?: number) =>
  service.ask(offerings.reorder, { ids: order, pinnedId, editedVersion }, caller);
const refused = (code: string) => expect.objectContaining({ code });

async function publicTitles(): Promise<string[]> {
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  const { items: lists } = await service.ask(offerings.listPublicOfMany, { creatorIds: [caller.uid] });
  expect(lists[0]?.items).toEqual(items);
  return items.map(({ title }) => title);
}

it("offerings are newest first, or in the creator's order for all", async () => {
  const [a, b, c] = [await create('A'), await create('B'), await create('C')];
  expect(await own()).toEqual({ items: [c, b, a], pinnedId: null, version: 1 });
  expect(await reorder(ids(b, a, c))).toEqual({ items: [b, a, c], pinnedId: null, version: 2 });
  expect(await own()).toEqual({ items: [b, a, c], pinnedId: null, version: 2 });
  expect(await publicTitles()).toEqual(['B', 'A', 'C']);
});

it('newer offerings than the order come first, below the pinned one', async () => {
  const [a, b] = [await create('A'), await create('B')];
  await reorder(ids(a, b), b.id);
  expect(await publicTitles()).toEqual(['B', 'A']);
  await create('C');
  await create('D');
  expect(await publicTitles()).toEqual(['B', 'D', 'C', 'A']);
  expect(await own()).toMatchObject({ pinnedId: b.id, version: 2 });
});

it('the public list names the pinned offering if it is public [offerings-18]', async () => {
  const [a, b] = [await create('A'), await create('B')];
  const pinnedId = async () => (await service.ask(offerings.listPublic, { creatorId: caller.uid })).pinnedId;
  expect(await pinnedId()).toBeNull();
  await reorder(ids(b, a), a.id);
  expect(await pinnedId()).toBe(a.id);
  const { items: lists } = await service.ask(offerings.listPublicOfMany, {
    creatorIds: [makeCaller().uid, caller.uid],
  });
  expect(lists.map((list) => list.pinnedId)).toEqual([null, a.id]);
  const { coverImage: _, ...fields } = aDraft('A');
  await service.ask(offerings.update, { ...fields, id: a.id, state: 'hidden' }, caller);
  expect(await pinnedId()).toBeNull();
  await service.ask(offerings.remove, { id: a.id }, caller);
  expect(await pinnedId()).toBeNull();
});

it('only one of two concurrent orders is stored, and the other is refused [offerings-19]', async () => {
  const [a, b] = [await create('A'), await create('B')];
  const { version } = await own();
  const attempts = await Promise.allSettled([
    reorder(ids(a, b), null, version),
    reorder(ids(b, a), a.id, version),
  ]);
  const kept = attempts.filter((one) => one.status === 'fulfilled').map(({ value }) => value);
  expect(kept).toEqual([await own()]);
  expect(attempts.filter((one) => one.status === 'rejected')).toEqual([
    { status: 'rejected', reason: refused('precondition_failed') },
  ]);
  expect(await reorder(ids(a, b), null, version + 1)).toMatchObject({ version: version + 2 });
});

it.each([
  ['one is missing', ([a]: Offering[]) => [a!.id]],
  ['one is named twice', ([a]: Offering[]) => [a!.id, a!.id]],
  ['one is unknown', ([a]: Offering[]) => [a!.id, randomUUID()]],
])('an order in which %s is a conflict and changes nothing', async (_, name) => {
  const made = [await create('A'), await create('B')];
  await expect(reorder(name(made))).rejects.toEqual(refused('conflict'));
  expect(await own()).toMatchObject({ version: 1 });
});

it("another creator's offering can be neither ordered nor pinned", async () => {
  const theirs = await create('Theirs');
  caller = makeCaller();
  const mine = await create('Mine');
  for (const [named, pinned] of [[ids(mine, theirs)], [ids(theirs)], [ids(mine), theirs.id]] as const)
    await expect(reorder(named, pinned)).rejects.toEqual(refused('conflict'));
});

it('a new order keeps the versions of offerings and is announced once', async () => {
  const [a, b] = [await create('A'), await create('B')];
  const { items } = await reorder(ids(a, b), a.id);
  expect(items).toEqual([a, b]);
  const facts = await service.events.next(offerings.changed, ({ creatorId }) => creatorId === caller.uid);
  expect(facts).toMatchObject({
    id: a.id,
    version: 1,
    publicChange: 0,
    coverImageId: a.coverImage?.id,
    fileIds: [],
  });
  const { paymentUrl, title } = a;
  const edit = { ...aDraft(title), paymentUrl, id: a.id, editedVersion: a.version };
  expect(await service.ask(offerings.update, edit, caller)).toMatchObject({ version: 2 });
  // Events of one service arrive in order: the event of the edit follows all events of the new order.
  const isMine = ({ creatorId }: { creatorId: string }) => creatorId === caller.uid;
  await service.events.next(offerings.changed, (changed) => isMine(changed) && changed.version === 2);
  expect(service.events.all(offerings.changed).filter(isMine)).toHaveLength(2);
});

it('a removed offering is removed from the order and unpinned', async () => {
  const [a, b, c] = [await create('A'), await create('B'), await create('C')];
  await reorder(ids(b, a, c), c.id);
  await service.ask(offerings.remove, { id: c.id }, caller);
  expect(await own()).toEqual({ items: [b, a], pinnedId: null, version: 2 });
  expect(await reorder(ids(a, b))).toMatchObject({ items: [a, b], version: 3 });
});

it('a pin on a removed offering does not prevent a new order', async () => {
  const [a, b] = [await create('A'), await create('B')];
  await reorder(ids(a, b), a.id);
  await database.query('UPDATE offering_order SET pinned_id = $1 WHERE creator_id = $2', [
    randomUUID(),
    caller.uid,
  ]);
  const { pinnedId, version } = await own();
  expect(pinnedId).toBeNull();
  expect(await reorder(ids(b, a), pinnedId, version)).toMatchObject({ items: [b, a] });
});

it('an order can be empty, and closing an account deletes the order', async () => {
  expect(await reorder([])).toEqual({ items: [], pinnedId: null, version: 1 });
  const a = await create('A');
  await reorder(ids(a));
  await service.announce(identity.closed, { uid: caller.uid, at: new Date().toISOString() });
  await service.events.next(offerings.removed, ({ id }) => id === a.id);
  const left = await database.query('SELECT 1 FROM offering_order WHERE creator_id = $1', [caller.uid]);
  expect(left.rows).toEqual([]);
  expect(await reorder([])).toMatchObject({ version: 1 });
});

it('thumbnails are small files of the first three public covers of each creator', async () => {
  const [a, b, c, d] = [await create('A'), await create('B'), await create('C'), await create('D')];
  const other = makeCaller();
  // One cover has small files, the others have none.
  const coverImage = { ...randomPicture(), widths: [128, 192, 320] };
  const theirs = await service.ask(offerings.create, { ...aDraft('Theirs'), coverImage }, other);
  const thumbnailOf = ({ coverImage }: Offering, files = { widths: [320], width: 320, height: 240 }) => ({
    path: coverImage!.path,
    color: coverImage!.color,
    ...files,
  });
  const nobody = makeCaller().uid;
  const lists = async () => {
    const creatorIds = [nobody, other.uid, caller.uid, caller.uid];
    const answer = await service.ask(offerings.listThumbnails, { creatorIds });
    return new Map(answer.lists.map(({ creatorId, items }) => [creatorId, items]));
  };
  expect(await lists()).toEqual(
    new Map([
      [other.uid, [thumbnailOf(theirs, { widths: [128, 192], width: 192, height: 144 })]],
      [caller.uid, [d, c, b].map((one) => thumbnailOf(one))],
    ]),
  );
  await reorder(ids(a, b, c, d), c.id);
  expect((await lists()).get(caller.uid)).toEqual([c, a, b].map((one) => thumbnailOf(one)));
  for (const [state, { id, title }] of [
    ['hidden', a],
    ['sold_out', b],
    ['archived', c],
  ] as const) {
    const { coverImage: _, ...fields } = aDraft(title);
    await service.ask(offerings.update, { ...fields, id, state }, caller);
  }
  // Offerings without a cover are skipped.
  await database.query('UPDATE offering SET cover_image = NULL WHERE id = $1', [theirs.id]);
  expect(await lists()).toEqual(new Map([[caller.uid, [b, d].map((one) => thumbnailOf(one))]]));
});
