import { type Caller, type Offering, offerings } from '@stoa/contracts';
import {
  endings,
  makeCaller,
  randomPicture,
  ReplicaToLose,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
let replica: ReplicaToLose;
let caller: Caller;
let own: Offering;

const links = { paymentUrl: 'https://pay.example.com/letters', productUrl: null };
const words = { title: 'Letters', description: 'Twelve.', price: '€12', type: 'eBook', ...links } as const;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(async () => {
  caller = makeCaller();
  own = await service.ask(offerings.create, { ...words, coverImage: randomPicture() }, caller);
  replica = await ReplicaToLose.start(service);
});
afterEach(() => replica.stop());

const stored = () => service.ask(offerings.readOwn, { id: own.id }, caller);
const changes = () => ({ ...words, id: own.id, title: 'Changed', editedVersion: own.version });

test.each(endings)('an edit whose replica is lost and %s is made once, and answered', async (ending) => {
  const changed = await replica.whileLost(ending, () => service.ask(offerings.update, changes(), caller));
  expect([changed.title, changed.version]).toEqual(['Changed', own.version + 1]);
  expect((await stored()).version).toBe(own.version + 1);
  const told = service.events.all(offerings.changed).filter(({ id }) => id === own.id);
  expect(told.length).toBeLessThanOrEqual(1);
});

test.each(endings)('a removal whose replica is lost and %s is made once, and answered', async (ending) => {
  expect(
    await replica.whileLost(ending, () => service.ask(offerings.remove, { id: own.id }, caller)),
  ).toEqual({});
  await expect(stored()).rejects.toMatchObject({ code: 'not_found' });
});

test.each(endings)('an order whose replica is lost and %s is made once, and answered', async (ending) => {
  const order = { ids: [own.id], pinnedId: own.id, editedVersion: 1 };
  const ordered = await replica.whileLost(ending, () => service.ask(offerings.reorder, order, caller));
  expect([ordered.pinnedId, ordered.version]).toEqual([own.id, 2]);
});

test.each(endings)('a key whose replica is lost and %s is the one that is answered', async (ending) => {
  const rotated = await replica.whileLost(ending, () =>
    service.ask(offerings.rotateKey, { id: own.id }, caller),
  );
  expect(rotated.deliveryKey).not.toBe(own.deliveryKey);
  expect((await stored()).deliveryKey).toBe(rotated.deliveryKey);
});

test('the same edit under another request is refused as ever', async () => {
  await service.ask(offerings.update, changes(), caller);
  const again = service.ask(offerings.update, changes(), caller);
  await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(service.ask(offerings.remove, { id: randomUUID() }, caller)).rejects.toMatchObject({
    code: 'not_found',
  });
});
