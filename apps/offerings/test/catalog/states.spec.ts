import { type Caller, type NewOffering, type OfferingState, offerings } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

function aDraft(state?: OfferingState): NewOffering {
  const words = { title: 'Letters', description: '', price: '€12', paymentUrl: 'https://pay.example.com/x' };
  return { ...words, type: 'eBook', coverImage: randomPicture(), state };
}

const create = (state?: OfferingState) => service.ask(offerings.create, aDraft(state), caller);
const turn = (id: string, state?: OfferingState) =>
  service.ask(offerings.update, { ...aDraft(state), id }, caller);

/** Whether an offering is visible, by each public read. */
async function shown({ id, slug }: { id: string; slug: string }): Promise<boolean[]> {
  const creatorId = caller.uid;
  const { items } = await service.ask(offerings.listPublic, { creatorId });
  const { items: lists } = await service.ask(offerings.listPublicOfMany, { creatorIds: [creatorId] });
  const entries = await service.ask(offerings.listEntries, { creatorIds: [creatorId] });
  const found = await service.ask(offerings.findPublic, { creatorId, slug }).catch(() => undefined);
  const download = service.ask(offerings.download, { creatorId, id }, makeCaller()).catch(() => undefined);
  return [items[0], lists[0]?.items[0], entries.items[0], found, await download].map(
    (one) => one !== undefined,
  );
}

it.each([
  ['published', true],
  ['sold_out', true],
  ['draft', false],
  ['hidden', false],
  ['archived', false],
] as const)('an offering in state %s is public: %s [offerings-31]', async (state, isPublic) => {
  const made = await create(state);
  expect(made.state).toBe(state);
  expect(await shown(made)).toEqual(Array.from({ length: 5 }, () => isPublic));
  expect((await service.ask(offerings.listOwn, {}, caller)).items).toEqual([made]);
});

it('a new offering is published, and an edit without a state keeps the state', async () => {
  const { id, state } = await create();
  expect(state).toBe('published');
  await turn(id, 'hidden');
  expect(await turn(id)).toMatchObject({ state: 'hidden' });
});

it.each(['hidden', 'archived', 'draft'] as const)(
  'an offering in state %s can be downloaded with its key [offerings-32]',
  async (state) => {
    const { id, deliveryKey: key } = await create();
    await turn(id, state);
    const input = { creatorId: caller.uid, id };
    expect(await service.ask(offerings.download, { ...input, key })).toMatchObject({ title: 'Letters' });
    expect(await service.ask(offerings.download, input, caller)).toMatchObject({ title: 'Letters' });
    const stranger = service.ask(offerings.download, input, makeCaller());
    await expect(stranger).rejects.toMatchObject({ code: 'not_found' });
  },
);

it('each event has the change in the number of public offerings [offerings-34]', async () => {
  const { id } = await create('draft');
  await turn(id, 'published');
  await turn(id, 'sold_out');
  await turn(id, 'archived');
  await service.ask(offerings.remove, { id }, caller);
  await service.events.next(offerings.removed, (facts) => facts.id === id);
  const announced = [offerings.published, offerings.changed, offerings.removed].flatMap((event) =>
    service.events
      .all(event)
      .filter((facts) => facts.id === id)
      .map(({ version, publicChange }) => [version, event.subject.split('.').at(-1), publicChange]),
  );
  expect(announced.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [1, 'changed', 0],
    [2, 'published', 1],
    [3, 'changed', 0],
    [4, 'changed', -1],
    [5, 'removed', 0],
  ]);
});

it('the publication date is the first time that the offering was public', async () => {
  const drafted = await create('draft');
  expect(drafted.publishedAt).toBeNull();
  const before = Date.now();
  const { publishedAt } = await turn(drafted.id, 'published');
  expect(Date.parse(publishedAt ?? '')).toBeGreaterThanOrEqual(before);
  await turn(drafted.id, 'hidden');
  expect(await turn(drafted.id, 'sold_out')).toMatchObject({ publishedAt });
  const found = service.ask(offerings.findPublic, { creatorId: caller.uid, slug: drafted.slug });
  expect(await found).toMatchObject({ publishedAt });
  const published = await create();
  expect(published.publishedAt).toBe(published.createdAt);
});
