import { identity, type NewOffering, offerings } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());

const aDraft = (changes: Partial<NewOffering> = {}): NewOffering => ({
  title: 'Letters to a young painter',
  description: 'Twelve letters.',
  price: '€12',
  type: 'eBook',
  paymentUrl: 'https://pay.example.com/letters',
  productUrl: null,
  coverImage: randomPicture(),
  ...changes,
});
const close = (uid: string, id?: string) =>
  service.announce(identity.closed, { uid, at: new Date().toISOString() }, id);

test('closing an account removes its offerings only, with one event each', async () => {
  const [caller, other] = [makeCaller(), makeCaller()];
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    ids.push((await service.ask(offerings.create, aDraft(), caller)).id);
  }
  const kept = await service.ask(offerings.create, aDraft(), other);
  const eventId = randomUUID();
  await close(caller.uid, eventId);
  await close(caller.uid, eventId);
  await close(caller.uid);
  for (const id of ids) await service.events.next(offerings.removed, (facts) => facts.id === id);
  expect(await service.ask(offerings.listPublic, { creatorId: caller.uid })).toEqual({
    items: [],
    pinnedId: null,
  });
  expect((await service.ask(offerings.listPublic, { creatorId: other.uid })).items).toMatchObject([
    { id: kept.id },
  ]);
  const removed = service.events.all(offerings.removed).filter(({ creatorId }) => creatorId === caller.uid);
  expect(
    removed.map(({ id, version }) => ({ id, version })).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  ).toEqual(ids.toSorted().map((id) => ({ id, version: 2 })));
});

test('closing an account announces the deleted data once', async () => {
  const [caller, other] = [makeCaller(), makeCaller()];
  const file = { id: randomUUID(), filename: 'a.pdf', size: 900, contentType: 'application/pdf' };
  await service.ask(offerings.create, aDraft({ files: [{ file }] }), caller);
  const { id } = await service.ask(offerings.create, aDraft(), caller);
  await service.ask(offerings.duplicate, { id, duplicateId: randomUUID() }, caller);
  await service.ask(offerings.create, aDraft(), other);
  const eventId = randomUUID();
  await close(caller.uid, eventId);
  await close(caller.uid, eventId);
  const erased = await service.events.next(offerings.erased, ({ uid }) => uid === caller.uid);
  expect(erased.counts).toEqual({ offerings: 3, pictures: 2, files: 1 });
  await close(other.uid);
  const others = await service.events.next(offerings.erased, ({ uid }) => uid === other.uid);
  expect(others.counts).toEqual({ offerings: 1, pictures: 1, files: 0 });
  expect(service.events.all(offerings.erased).filter(({ uid }) => uid === caller.uid)).toHaveLength(1);
});

test('after closing, a valid token creates no offering, and a key opens none', async () => {
  const caller = makeCaller();
  const { id, deliveryKey } = await service.ask(offerings.create, aDraft(), caller);
  await close(caller.uid);
  await service.events.next(offerings.removed, (facts) => facts.id === id);
  await expect(service.ask(offerings.create, aDraft(), caller)).rejects.toMatchObject({ code: 'forbidden' });
  const download = { creatorId: caller.uid, id, key: deliveryKey };
  await expect(service.ask(offerings.download, download)).rejects.toMatchObject({ code: 'not_found' });
});
