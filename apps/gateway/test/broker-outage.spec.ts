import { creators } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ ownNats: true, settings: { PUBLIC_READS_SAMPLED: '0' } });
});
// NATS is still down, so that the gateway must stop without it.
afterAll(() => gateway.stop());

const get = (path: string) => fetch(gateway.url + path);

test('while NATS is down cached reads are served stale with Age, the rest is 503', async () => {
  const services = new ServiceStubs(gateway);
  await services.answer(creators.browse, { items: [], nextCursor: null, total: 0, totalIsExact: true });
  const known = await (await get('/api/creators?limit=3')).text();
  await services.leave();
  await gateway.loseNats();
  await waitFor(
    async () => {
      const answer = await get('/api/creators?limit=3');
      expect([answer.status, answer.headers.has('age'), await answer.text()]).toEqual([200, true, known]);
    },
    { timeout: 20_000 },
  );
  await waitFor(async () => expect((await get('/api/creators/nobody')).status).toBe(503), {
    timeout: 20_000,
  });
});
