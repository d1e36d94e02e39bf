import { type Caller, type Offering, offerings } from '@stoa/contracts';
import {
  transactionEndings,
  makeCaller,
  randomPicture,
  LostReplica,
  type ServiceUnderTest,
  startServiceUnderTest,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
let replica: LostReplica;
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
  replica = await LostReplica.start(service);
});
afterEach(() => replica.stop());

const stored = () => service.ask(offerings.readOwn, { id: own.id }, caller);
const changes = () => ({ ...words, id: own.id, title: 'Changed', editedVersion: own.version });

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, an edit is applied once and answered',
  async (ending) => {
    const changed = await replica.loseDuring(ending, () => service.ask(offerings.update, changes(), caller));
    expect([changed.title, changed.version]).toEqual(['Changed', own.version + 1]);
    expect((await stored()).version).toBe(own.version + 1);
    const announced = service.events.all(offerings.changed).filter(({ id }) => id === own.id);
    expect(announced.length).toBeLessThanOrEqual(1);
  },
);

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, a removal is applied once and answered',
  async (ending) => {
    expect(
      await replica.loseDuring(ending, () => service.ask(offerings.remove, { id: own.id }, caller)),
    ).toEqual({});
    await expect(stored()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, an order is applied once and answered',
  async (ending) => {
    const order = { ids: [own.id], pinnedId: own.id, editedVersion: 1 };
    const ordered = await replica.loseDuring(ending, () => service.ask(offerings.reorder, order, caller));
    expect([ordered.pinnedId, ordered.version]).toEqual([own.id, 2]);
  },
);

test.each(transactionEndings)(
  'if the replica dies and the transaction %s, a rotation answers with the stored key',
  async (ending) => {
    const rotated = await replica.loseDuring(ending, () =>
      service.ask(offerings.rotateKey, { id: own.id }, caller),
    );
    expect(rotated.deliveryKey).not.toBe(own.deliveryKey);
    expect((await stored()).deliveryKey).toBe(rotated.deliveryKey);
  },
);

test('the same edit in another request is refused', async () => {
  await service.ask(offerings.update, changes(), caller);
  const again = service.ask(offerings.update, changes(), caller);
  await expect(again).rejects.toMatchObject({ code: 'precondition_failed' });
  await expect(service.ask(offerings.remove, { id: randomUUID() }, caller)).rejects.toMatchObject({
    code: 'not_found',
  });
});
