import {
  type Caller,
  identity,
  saleLimits,
  type NewSaleForm,
  type Offering,
  offerings,
} from '@stoa/contracts';
import {
  adminUrlOf,
  makeCaller,
  makeStoredFile,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  withClient,
} from '@stoa/testing';
import { withIdempotencyKey } from '@stoa/messaging';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { OfferingsModule } from '../../src/offerings.module.ts';

/** The schema that identity 1.0 uses. It refuses unknown kinds. */
const erasedAccountOfRelease1 = z.object({
  uid: z.guid(),
  counts: z.partialRecord(
    z.enum(['profiles', 'offerings', 'pictures', 'files', 'messagesReceived', 'messagesSent']),
    z.int().nonnegative(),
  ),
});

let service: ServiceUnderTest;
let owner: Caller;
let offering: Offering;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(async () => {
  owner = makeCaller();
  offering = await create();
});

const draft = {
  title: 'Letters',
  description: '',
  price: '€12',
  type: 'eBook' as const,
  paymentUrl: 'https://pay.example.com/letters',
};
const file = makeStoredFile();
const create = (by = owner) =>
  service.ask(offerings.create, { ...draft, coverImage: randomPicture(), files: [{ file }] }, by);
const change = (changes: { sharedLink?: boolean; title?: string }) =>
  service.ask(offerings.update, { ...draft, id: offering.id, ...changes }, owner);
const add = (changes: Partial<NewSaleForm> = {}, by = owner) => {
  const form = { offeringId: offering.id, transactionId: randomUUID(), ...changes };
  return service.ask(offerings.addSale, form as NewSaleForm, by);
};
const addKeyed = async (changes: Partial<NewSaleForm> = {}) => {
  const { sale, key } = await add(changes);
  if (key === null) throw new Error('The sale existed before.');
  return { sale, key };
};
const list = (query = {}, by = owner) => service.ask(offerings.listSales, query, by);
const close = (id: string, state: 'revoked' | 'refunded' | 'disputed' = 'revoked', by = owner) =>
  service.ask(offerings.closeSale, { id, state }, by);
const replace = (id: string) => service.ask(offerings.replaceSaleKey, { id }, owner);
const open = (key: string, { id, creatorId } = offering) =>
  service.ask(offerings.download, { creatorId, id, key });
const missing = { code: 'not_found', message: 'Offering not found.' };
const refused = (key: string, of = offering) => expect(open(key, of)).rejects.toMatchObject(missing);
const opened = async (key: string, of = offering) =>
  expect(await open(key, of)).toMatchObject({ files: [{ id: file.id }], keyNeeded: false });
const sql = (text: string, values: unknown[]) =>
  withClient(adminUrlOf(service), (client) => client.query(text, values));
/** Moves the sale and its last use into the past. */
const age = (id: string, interval: string) =>
  sql(
    `UPDATE sale SET created_at = created_at - $2::interval, key_since = key_since - $2::interval,
            last_used_at = last_used_at - $2::interval WHERE id = $1`,
    [id, interval],
  );

describe('the key of a sale', () => {
  test('opens the same page as the shared key, and only for its offering [offerings-45]', async () => {
    const { sale, key } = await addKeyed();
    expect(key).not.toBe(offering.deliveryKey);
    expect(await open(key)).toEqual(await open(offering.deliveryKey));
    await refused(key, await create());
    await refused(`${key}x`);
    expect(sale).toMatchObject({ state: 'paid', uses: 0, lastUsedAt: null });
    expect(sale).toMatchObject({ downloads: saleLimits.saleDownloads, days: saleLimits.saleDays });
  });

  test('is stored as a hash alone', async () => {
    const { sale, key } = await addKeyed();
    const { rows } = await sql('SELECT * FROM sale WHERE id = $1', [sale.id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify([rows, await list()])).not.toContain(key);
  });

  test('counts uses, of which several at a time are one [offerings-46]', async () => {
    const { sale, key } = await addKeyed({ downloads: 2, days: null });
    await Promise.all(Array.from({ length: 8 }, () => opened(key)));
    expect((await list()).items).toMatchObject([{ id: sale.id, uses: 1 }]);
    await age(sale.id, '11 minutes');
    await opened(key);
    await opened(key);
    expect((await list()).items).toMatchObject([{ uses: 2 }]);
    await age(sale.id, '11 minutes');
    await refused(key);
    expect((await list()).items).toMatchObject([{ uses: 2, state: 'paid' }]);
  });

  test('works for the days that the creator has chosen [offerings-47]', async () => {
    const [short, endless] = [await addKeyed({ days: 2 }), await addKeyed({ days: null })];
    for (const { sale } of [short, endless]) await age(sale.id, '47 hours');
    expect(await open(short.key)).toMatchObject({ keyNeeded: false });
    for (const { sale } of [short, endless]) await age(sale.id, '1 hour');
    await refused(short.key);
    await opened(endless.key);
  });

  test.each(['revoked', 'refunded', 'disputed'] as const)(
    'opens nothing once the sale is %s, and other keys still do [offerings-48]',
    async (state) => {
      const [one, other] = [await addKeyed(), await addKeyed()];
      await opened(one.key);
      expect(await close(one.sale.id, state)).toMatchObject({ id: one.sale.id, state, uses: 1 });
      await refused(one.key);
      await opened(other.key);
      await opened(offering.deliveryKey);
    },
  );

  test.each(['revoked', 'refunded'] as const)('can be replaced until the sale is %s', async (state) => {
    const { sale, key } = await addKeyed();
    const replaced = await replace(sale.id);
    await refused(key);
    await opened(replaced.key!);
    await close(sale.id, state);
    await expect(replace(sale.id)).rejects.toMatchObject({ code: 'conflict' });
    await refused(replaced.key!);
  });

  test('starts again when it is replaced, after its uses or its days', async () => {
    const [used, old] = [await addKeyed({ downloads: 1, days: null }), await addKeyed({ days: 2 })];
    await opened(used.key);
    for (const { sale, key } of [used, old]) {
      await age(sale.id, '3 days');
      await refused(key);
      const replaced = await replace(sale.id);
      expect(replaced.sale).toMatchObject({ state: 'paid', uses: 0, lastUsedAt: null });
      expect(Date.parse(replaced.sale.keySince)).toBeGreaterThan(Date.parse(sale.keySince));
      await opened(replaced.key!);
      await refused(key);
    }
  });

  test('stays closed after a refund that follows a dispute, whatever comes later', async () => {
    const { sale } = await addKeyed();
    for (const state of ['disputed', 'refunded', 'disputed', 'revoked'] as const) await close(sale.id, state);
    expect((await list()).items).toMatchObject([{ id: sale.id, state: 'refunded' }]);
    await expect(replace(sale.id)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('opens again, as a new key, once a dispute is won', async () => {
    const { sale, key } = await addKeyed();
    await close(sale.id, 'disputed');
    const reopened = await replace(sale.id);
    expect(reopened.sale).toMatchObject({ id: sale.id, state: 'paid' });
    await opened(reopened.key!);
    await refused(key);
  });

  test('is not counted when the owner tries it', async () => {
    const { sale, key } = await addKeyed({ downloads: 1 });
    const { id, creatorId } = offering;
    const tried = await service.ask(offerings.download, { creatorId, id, key }, owner);
    expect(tried).toMatchObject({ keyNeeded: false });
    expect((await list()).items).toMatchObject([{ id: sale.id, uses: 0, lastUsedAt: null }]);
    await opened(key);
    await age(sale.id, '11 minutes');
    const late = service.ask(offerings.download, { creatorId, id, key }, owner);
    await expect(late).rejects.toMatchObject(missing);
  });

  test('opens nothing of an offering that an operator has hidden, and counts no use', async () => {
    const { key } = await addKeyed();
    await sql('UPDATE offering SET taken_down = true WHERE id = $1', [offering.id]);
    await refused(key);
    expect((await list()).items).toMatchObject([{ uses: 0 }]);
  });
});

describe('a repeat under the same idempotency key', () => {
  const repeatable = (idempotency = randomUUID()) => ({
    add: (form: Partial<NewSaleForm>) => withIdempotencyKey(idempotency, () => add(form)),
    replace: (id: string) => withIdempotencyKey(idempotency, () => replace(id)),
  });

  test('adds one sale and answers with the same key', async () => {
    const [first, form] = [repeatable(), { transactionId: randomUUID(), downloads: 1 }];
    const answers = await Promise.all(Array.from({ length: 5 }, () => first.add(form)));
    expect(new Set(answers.map(({ sale, key }) => `${sale.id} ${key}`)).size).toBe(1);
    const { sale, key } = answers[0]!;
    await opened(key!);
    expect(await first.add(form)).toEqual({ sale: (await list()).items[0], key });
    await opened(key!);
    expect((await repeatable().add(form)).key).toBeNull();
    const { rows } = await sql(
      'SELECT sale::text, (SELECT string_agg(event_id, $2) FROM inbox) FROM sale WHERE id = $1',
      [sale.id, ' '],
    );
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('replaces the key once, and a late repeat replaces no later key', async () => {
    const [{ sale, key: oldest }, first] = [await addKeyed(), repeatable()];
    const { key } = await first.replace(sale.id);
    await opened(key!);
    const repeated = await first.replace(sale.id);
    expect(repeated).toMatchObject({ key, sale: { uses: 1 } });
    await close(sale.id, 'disputed');
    expect(await first.replace(sale.id)).toMatchObject({ sale: { state: 'disputed' } });
    const { key: latest } = await repeatable().replace(sale.id);
    expect(await first.replace(sale.id)).toMatchObject({ key: null, sale: { state: 'paid' } });
    await opened(latest!);
    for (const dead of [oldest, key!]) await refused(dead);
  });

  test('answers an addition without a key once the key was replaced', async () => {
    const [first, form] = [repeatable(), { transactionId: randomUUID() }];
    const { sale, key } = await first.add(form);
    const replaced = await replace(sale.id);
    expect((await first.add(form)).key).toBeNull();
    await refused(key!);
    await opened(replaced.key!);
  });
});

describe('the shared link', () => {
  test('can be turned off and on, and keys of sales work regardless [offerings-49]', async () => {
    const { key } = await addKeyed();
    expect(offering.sharedLink).toBe(true);
    expect(await change({ sharedLink: false })).toMatchObject({ sharedLink: false });
    await refused(offering.deliveryKey);
    await opened(key);
    expect(await change({ title: 'Renamed' })).toMatchObject({ sharedLink: false });
    expect(await change({ sharedLink: true })).toMatchObject({ sharedLink: true });
    await opened(offering.deliveryKey);
  });
});

describe('a sale', () => {
  test('exists once per transaction id, and its key is shown once [offerings-50]', async () => {
    const transactionId = randomUUID();
    const added = await Promise.all(Array.from({ length: 5 }, () => add({ transactionId })));
    expect(new Set(added.map(({ sale }) => sale.id)).size).toBe(1);
    expect(added.filter(({ key }) => key !== null)).toHaveLength(1);
    expect((await list()).items).toHaveLength(1);
  });

  test('is one of its provider, offering and creator, which may share a transaction id', async () => {
    const transactionId = '1001';
    const others = [{ provider: 'Stripe' }, { provider: 'PayPal' }, { offeringId: (await create()).id }];
    const sales = [await addKeyed({ transactionId })];
    for (const other of others) sales.push(await addKeyed({ transactionId, ...other }));
    expect(new Set(sales.map(({ sale }) => sale.id)).size).toBe(4);
    expect((await list({ transactionId })).items).toHaveLength(4);
    await close(sales[1]!.sale.id, 'refunded');
    await refused(sales[1]!.key);
    for (const index of [0, 2]) await opened(sales[index]!.key);
    const stranger = makeCaller();
    const { id } = await create(stranger);
    expect((await add({ transactionId, offeringId: id }, stranger)).key).not.toBeNull();
  });

  test('belongs to the owner of the offering alone [offerings-51]', async () => {
    const { sale } = await addKeyed();
    const stranger = makeCaller();
    await expect(add({}, stranger)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(add({ offeringId: randomUUID() })).rejects.toMatchObject(missing);
    await expect(close(sale.id, 'revoked', stranger)).rejects.toMatchObject({ code: 'not_found' });
    const replacing = service.ask(offerings.replaceSaleKey, { id: sale.id }, stranger);
    await expect(replacing).rejects.toMatchObject({ code: 'not_found' });
    expect((await list({}, stranger)).items).toEqual([]);
    expect((await list()).items).toMatchObject([{ id: sale.id, state: 'paid' }]);
  });

  test('is found by its transaction id, and listed in pages with the latest first', async () => {
    const { sale } = await addKeyed({ provider: 'PayPal' });
    await sql(
      `INSERT INTO sale (id, creator_id, offering_id, source, provider, transaction_id, key_hash, key_salt, state, created_at)
       SELECT gen_random_uuid(), $1::uuid, $2::uuid, 'creator', '', 'old-' || n, gen_random_uuid()::text, '', 'paid', now() - interval '1 day'
         FROM generate_series(1, $3::int) AS n`,
      [owner.uid, offering.id, saleLimits.salesPage],
    );
    const first = await list();
    expect(first.items).toHaveLength(saleLimits.salesPage);
    expect(first.items[0]).toEqual(sale);
    const { items, nextCursor } = await list({ cursor: first.nextCursor! });
    expect([items.length, nextCursor]).toEqual([1, null]);
    expect(new Set([...first.items, ...items].map(({ id }) => id)).size).toBe(saleLimits.salesPage + 1);
    expect((await list({ transactionId: sale.transactionId })).items).toEqual([sale]);
    expect((await list({ transactionId: 'other' })).items).toEqual([]);
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  test('is deleted with its offering', async () => {
    const { key } = await addKeyed();
    await service.ask(offerings.remove, { id: offering.id }, owner);
    await refused(key);
    expect((await list()).items).toEqual([]);
  });

  test('is deleted and counted with its account, and no other is [offerings-52]', async () => {
    const { key } = await addKeyed();
    await addKeyed();
    const other = makeCaller();
    const kept = await create(other);
    const { key: keptKey } = await add({ offeringId: kept.id }, other);
    await service.announce(identity.closed, { uid: owner.uid, at: new Date().toISOString() });
    const erased = await service.events.next(offerings.erased, ({ uid }) => uid === owner.uid);
    expect(erased).toMatchObject({ counts: { offerings: 1, pictures: 1, files: 1 }, sales: 2 });
    expect(() => erasedAccountOfRelease1.parse(erased)).not.toThrow();
    await refused(key);
    const { rows } = await sql('SELECT 1 FROM sale WHERE creator_id = $1', [owner.uid]);
    expect(rows).toEqual([]);
    await opened(keptKey!, kept);
  });
});
