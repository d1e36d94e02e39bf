import { type Caller, creators, type NewOffering, offerings, type ReviewFacts } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
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

const letters = (): NewOffering => ({
  ...{ title: 'Letters', description: 'By hand.', price: '€12', paymentUrl: 'https://pay.example.com/x' },
  ...{ type: 'eBook', coverImage: randomPicture() },
});
const create = () => service.ask(offerings.create, letters(), caller);
const own = (id: string) => service.ask(offerings.readOwn, { id }, caller);

function review(
  id: string,
  outcome: ReviewFacts['outcome'],
  at = new Date().toISOString(),
  uid = caller.uid,
) {
  const offering = { id, title: 'Letters' };
  const grounds = { reason: 'fraud', text: '', at } as const;
  return service.announce(creators.reviewed, { id: randomUUID(), uid, offering, outcome, ...grounds });
}

/** Resolves once all decisions announced so far are handled. */
async function handled(): Promise<void> {
  const last = await create();
  await review(last.id, 'hidden');
  await waitFor(async () => expect((await own(last.id)).takenDown).toBe(true));
}

/** Whether an offering is visible, by each public read. */
async function shown({ id, slug, deliveryKey: key }: Awaited<ReturnType<typeof create>>): Promise<boolean[]> {
  const creatorId = caller.uid;
  const { items } = await service.ask(offerings.listPublic, { creatorId });
  const { items: lists } = await service.ask(offerings.listPublicOfMany, { creatorIds: [creatorId] });
  const thumbnails = await service.ask(offerings.listThumbnails, { creatorIds: [creatorId] });
  const entries = await service.ask(offerings.listEntries, { creatorIds: [creatorId] });
  const is = (answer: Promise<unknown>) => answer.catch(() => undefined);
  const found = await is(service.ask(offerings.findPublic, { creatorId, slug }));
  const byStranger = await is(service.ask(offerings.download, { creatorId, id }, makeCaller()));
  const byBuyer = await is(service.ask(offerings.download, { creatorId, id, key }));
  const seller = await is(service.ask(offerings.findSeller, { creatorId, id }));
  const lists0 = lists[0]?.items[0];
  const everywhere = [items[0], lists0, thumbnails.lists[0], entries.items[0], found];
  return [...everywhere, byStranger, byBuyer, seller].map((one) => one !== undefined);
}
const all = (value: boolean) => Array.from({ length: 8 }, () => value);

test('no public read finds a hidden offering until it is restored [offerings-35]', async () => {
  const made = await create();
  expect(await shown(made)).toEqual(all(true));
  await review(made.id, 'hidden');
  const changed = await service.events.next(offerings.changed, ({ id }) => id === made.id);
  // Counts and caches need this event.
  expect(changed).toMatchObject({ publicChange: -1, version: made.version + 1 });
  expect(await shown(made)).toEqual(all(false));
  expect(await own(made.id)).toMatchObject({ state: 'published', takenDown: true });
  const mine = await service.ask(offerings.download, { creatorId: caller.uid, id: made.id }, caller);
  expect(mine).toMatchObject({ title: 'Letters' });

  await review(made.id, 'restored');
  await service.events.next(offerings.published, ({ version }) => version === made.version + 2);
  expect(await shown(made)).toEqual(all(true));
});

test('the owner cannot publish an offering that an operator has hidden [offerings-36]', async () => {
  const made = await create();
  await review(made.id, 'hidden');
  await waitFor(async () => expect((await own(made.id)).takenDown).toBe(true));
  const copied = service.ask(offerings.duplicate, { id: made.id, duplicateId: randomUUID() }, caller);
  await expect(copied).rejects.toMatchObject({ code: 'conflict' });
  await service.ask(offerings.update, { ...letters(), id: made.id, state: 'hidden' }, caller);
  await service.ask(offerings.update, { ...letters(), id: made.id, state: 'published' }, caller);
  expect(await shown(made)).toEqual(all(false));
  const announced = service.events.all(offerings.published).filter(({ id }) => id === made.id);
  expect(announced).toHaveLength(1);
});

test('the later of two decisions applies, in any order of delivery', async () => {
  const made = await create();
  const [first, second] = [new Date(Date.now() - 1000), new Date()].map((time) => time.toISOString());
  await review(made.id, 'restored', second);
  await review(made.id, 'hidden', first);
  // Neither a refused appeal nor a case of another creator changes anything.
  await review(made.id, 'upheld');
  await review(made.id, 'hidden', undefined, makeCaller().uid);
  const last = await create();
  await review(last.id, 'hidden');
  await waitFor(async () => expect((await own(last.id)).takenDown).toBe(true));
  expect(await own(made.id)).toMatchObject({ takenDown: false });
});

test('a repeated decision changes nothing, even in another event or after a later one', async () => {
  const made = await create();
  const [first, second] = [new Date(Date.now() - 1000), new Date()].map((time) => time.toISOString());
  const grounds = { offering: { id: made.id, title: 'Letters' }, reason: 'fraud', text: '' } as const;
  const hidden = { ...grounds, id: randomUUID(), uid: caller.uid, outcome: 'hidden', at: first! } as const;
  const delivery = randomUUID();
  for (const id of [delivery, delivery, randomUUID()]) await service.announce(creators.reviewed, hidden, id);
  await handled();
  expect(await own(made.id)).toMatchObject({ takenDown: true, version: made.version + 1 });
  await review(made.id, 'restored', second);
  await service.announce(creators.reviewed, hidden, randomUUID());
  await handled();
  expect(await own(made.id)).toMatchObject({ takenDown: false, version: made.version + 2 });
  const changes = service.events.all(offerings.changed).filter(({ id }) => id === made.id);
  expect(changes.map(({ publicChange }) => publicChange)).toEqual([-1]);
});

/** Decides about the profile of `caller`. */
function reviewProfile(outcome: ReviewFacts['outcome'], at = new Date().toISOString()) {
  const grounds = { offering: null, reason: 'fraud', text: '', at } as const;
  return service.announce(creators.reviewed, { ...grounds, id: randomUUID(), uid: caller.uid, outcome });
}

test('the offerings of a hidden profile deliver nothing until it is restored [offerings-37]', async () => {
  const [kept, harmful] = [await create(), await create()];
  const archived = await service.ask(
    offerings.update,
    { ...letters(), id: (await create()).id, state: 'archived' },
    caller,
  );
  await review(harmful.id, 'hidden');
  await waitFor(async () => expect((await own(harmful.id)).takenDown).toBe(true));
  const byKey = ({ id, deliveryKey: key }: typeof kept, who?: Caller) =>
    service.ask(offerings.download, { creatorId: caller.uid, id, key }, who);
  const hidden = { code: 'not_found' };

  await reviewProfile('hidden');
  await waitFor(() => expect(byKey(kept)).rejects.toMatchObject(hidden));
  await expect(byKey(archived)).rejects.toMatchObject(hidden);
  await expect(byKey(kept, makeCaller())).rejects.toMatchObject(hidden);
  const withoutKey = service.ask(offerings.download, { creatorId: caller.uid, id: kept.id }, makeCaller());
  await expect(withoutKey).rejects.toMatchObject(hidden);
  expect(await byKey(kept, caller)).toMatchObject({ title: 'Letters' });
  // An offering that is created in this time delivers nothing either.
  const later = await create();
  await expect(byKey(later)).rejects.toMatchObject(hidden);

  await reviewProfile('restored');
  await waitFor(async () => expect(await byKey(kept)).toMatchObject({ title: 'Letters' }));
  expect(await byKey(archived)).toMatchObject({ title: 'Letters' });
  await expect(byKey(harmful)).rejects.toMatchObject(hidden);
});

test('a late event of an earlier decision about a profile changes nothing', async () => {
  const made = await create();
  const open = () =>
    service.ask(offerings.download, { creatorId: caller.uid, id: made.id, key: made.deliveryKey });
  const [first, second] = [new Date(Date.now() - 1000), new Date()].map((time) => time.toISOString());
  await reviewProfile('restored', second);
  await reviewProfile('hidden', first);
  await reviewProfile('upheld');
  await handled();
  expect(await open()).toMatchObject({ title: 'Letters' });
});

test('only operators read hidden offerings', async () => {
  const made = await create();
  await review(made.id, 'hidden');
  const ids = [made.id, randomUUID()];
  const read = (who: Caller) => service.ask(offerings.listForReview, { ids }, who);
  await expect(read(caller)).rejects.toMatchObject({ code: 'forbidden' });
  expect(await read(makeCaller({ isOperator: true }))).toEqual({
    items: [
      {
        ...{ id: made.id, title: 'Letters', text: '€12\n\nBy hand.', picture: made.coverImage },
        links: [made.paymentUrl],
      },
    ],
  });
});
