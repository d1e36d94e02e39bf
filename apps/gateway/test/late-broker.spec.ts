import { creators } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  webRoot = await makeWebRoot();
  gateway = await startGatewayUnderTest({ webRoot, ownNats: true, beforeNats: true });
});
afterAll(async () => {
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

const get = (path: string) => fetch(gateway.url + path);

test('the gateway starts without NATS: pages are served, the API is 503, and all recovers', async () => {
  const home = await get('/');
  expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('<div id="root">')]);
  const profile = await get('/profile/ama');
  expect([profile.status, profile.headers.has('retry-after')]).toEqual([503, true]);
  const list = await get('/api/creators');
  expect([list.status, await list.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })]);

  await gateway.startNats();
  const services = new ServiceStubs(gateway);
  await services.answer(creators.browse, { items: [], nextCursor: null, total: 0, totalIsExact: true });
  await waitFor(async () => expect((await get('/api/creators')).status).toBe(200), { timeout: 20_000 });
  await services.leave();
});

test('a gateway that never connected to NATS shuts down', async () => {
  const { stop } = await gateway.addReplica({ NATS_URL: 'nats://127.0.0.1:1' });
  await expect(stop()).resolves.toBeUndefined();
});
