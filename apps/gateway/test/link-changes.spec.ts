import { identity, type LinkChange } from '@stoa/contracts';
import { makeCaller } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const links = [{ name: 'Letters', url: 'https://pay.example.com/' }];
const change: LinkChange = {
  id: randomUUID(),
  at: '2026-01-01T00:00:00.000Z',
  offeringId: randomUUID(),
  before: links,
  after: [],
  undoneAt: null,
};

async function list(): Promise<Response> {
  const headers = { authorization: `Bearer ${await gateway.token(makeCaller())}` };
  return fetch(`${gateway.url}/api/me/link-changes`, { headers });
}

const undo = (token: string) =>
  fetch(`${gateway.url}/api/link-changes/undo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });

test('lists changes of payment links for their owner', async () => {
  await services.answer(identity.listLinkChanges, { items: [change] });
  const response = await list();
  expect(response.headers.get('cache-control')).toContain('no-store');
  expect(await response.json()).toEqual({ items: [change] });
});

test('answers 503 while identity is down', async () => {
  expect((await list()).status).toBe(503);
});

test('undoes a change with only the token, and returns the restored links', async () => {
  const { offeringId } = change;
  const asked = await services.answer(identity.undoLinkChange, { offeringId, links });
  const response = await undo('x'.repeat(43));
  expect([response.status, await response.json()]).toEqual([200, { offeringId, links }]);
  expect(asked).toEqual([{ token: 'x'.repeat(43) }]);
});

test('answers 404 for a used token, and 400 for a malformed one', async () => {
  await services.refuse(identity.undoLinkChange, 'not_found');
  expect((await undo('x'.repeat(43))).status).toBe(404);
  expect((await undo('short')).status).toBe(400);
});
