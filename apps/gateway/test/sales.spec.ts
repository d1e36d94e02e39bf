import { deliveryKeyHeader, saleLimits, offerings, type Sale } from '@stoa/contracts';
import { makeCaller } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;
let headers: Record<string, string>;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
  headers = {
    authorization: `Bearer ${await gateway.token(makeCaller())}`,
    'content-type': 'application/json',
  };
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const sale: Sale = {
  ...{ id: randomUUID(), offeringId: randomUUID(), provider: 'Stripe', transactionId: 'pi_1' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', keySince: '2026-01-01T00:00:00.000Z' },
  ...{ state: 'paid', uses: 0, lastUsedAt: null },
  ...{ downloads: saleLimits.saleDownloads, days: saleLimits.saleDays },
};
const key = 'k'.repeat(32);
const form = { offeringId: sale.offeringId, transactionId: 'pi_1' };
const post = (path: string, body: object = {}, given: Record<string, string> = headers) =>
  fetch(`${gateway.url}/api/sales${path}`, { method: 'POST', headers: given, body: JSON.stringify(body) });

test('a sale gets the default limits, and the answer with its key is no-store', async () => {
  const asked = await services.answer(offerings.addSale, { sale, key });
  const response = await post('', form);
  expect([response.status, await response.json()]).toEqual([201, { sale, key }]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const chosen = { downloads: saleLimits.saleDownloads, days: saleLimits.saleDays };
  expect(asked).toEqual([{ ...form, provider: '', ...chosen }]);
});

test('a sale can be without limits, but not with senseless ones', async () => {
  const asked = await services.answer(offerings.addSale, { sale, key });
  expect((await post('', { ...form, downloads: null, days: null })).status).toBe(201);
  expect(asked).toMatchObject([{ downloads: null, days: null }]);
  for (const wrong of [
    { downloads: 0 },
    { days: 0 },
    { days: saleLimits.saleMaxDays + 1 },
    { transactionId: ' ' },
  ])
    expect((await post('', { ...form, ...wrong })).status).toBe(400);
  expect(asked).toHaveLength(1);
});

test('sales are listed, closed and given a new key for their creator', async () => {
  const listed = await services.answer(offerings.listSales, { items: [sale], nextCursor: 'next' });
  const list = await fetch(`${gateway.url}/api/sales?transactionId=pi_1&cursor=some`, { headers });
  expect(await list.json()).toEqual({ items: [sale], nextCursor: 'next' });
  expect(listed).toEqual([{ transactionId: 'pi_1', cursor: 'some' }]);

  const closed = await services.answer(offerings.closeSale, { ...sale, state: 'refunded' });
  const closing = await post(`/${sale.id}/closing`, { state: 'refunded' });
  expect(await closing.json()).toEqual({ ...sale, state: 'refunded' });
  expect(closed).toEqual([{ id: sale.id, state: 'refunded' }]);
  expect((await post(`/${sale.id}/closing`, { state: 'paid' })).status).toBe(400);

  await services.answer(offerings.replaceSaleKey, { sale, key });
  const replaced = await post(`/${sale.id}/key`);
  expect([replaced.status, replaced.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(await replaced.json()).toEqual({ sale, key });
});

test('the key of a sale opens no list of sales', async () => {
  const asked = await services.answer(offerings.listSales, { items: [sale], nextCursor: null });
  const response = await fetch(`${gateway.url}/api/sales`, { headers: { [deliveryKeyHeader]: key } });
  expect(response.status).toBe(401);
  expect(asked).toEqual([]);
});
