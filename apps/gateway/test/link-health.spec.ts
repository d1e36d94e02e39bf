import { contact, type DeadLink } from '@stoa/contracts';
import { makeCaller } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const at = '2026-01-01T00:00:00.000Z';
let gateway: GatewayUnderTest;
let services: ServiceStubs;
let headers: Record<string, string>;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
  headers = { authorization: `Bearer ${await gateway.token(makeCaller())}` };
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const dead: DeadLink = {
  ...{ id: randomUUID(), kind: 'payment', label: 'Access Now', url: 'https://pay.example.com/' },
  ...{ offeringId: randomUUID(), title: 'Letters', finding: 'not_found', since: at, lookedAt: at },
  isQueued: false,
};
const send = (path: string, method = 'GET') =>
  fetch(`${gateway.url}/api/me/link-health${path}`, { method, headers });

test('lists the dead links of the caller as no-store', async () => {
  await services.answer(contact.readLinkHealth, { items: [dead] });
  const answer = await send('');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toContain('no-store');
  expect(await answer.json()).toEqual({ items: [dead] });
});

test('requests a new check by the id of the link', async () => {
  const asked = await services.answer(contact.checkLink, { items: [{ ...dead, isQueued: true }] });
  const answer = await send(`/${dead.id}/looks`, 'POST');
  expect(answer.status).toBe(202);
  expect(await answer.json()).toMatchObject({ items: [{ isQueued: true }] });
  expect(asked).toEqual([{ id: dead.id }]);
});

test('answers 429 with Retry-After for a check that is too early', async () => {
  await services.refuse(contact.checkLink, 'rate_limited', 90);
  const answer = await send(`/${dead.id}/looks`, 'POST');
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('90');
});
