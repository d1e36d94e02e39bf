import { creators } from '@stoa/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

// During a rollout, a service of the next release may answer this gateway with an unknown code.

const refusal = { code: 'of_tomorrow', message: 'Not before tomorrow.', fields: [] };

let gateway: GatewayUnderTest;
let services: ServiceStubs;
let answer: object;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
  await services.refuseWith(creators.find, refusal.code, () => answer);
});
afterAll(async () => {
  await services.leave();
  await gateway.stop();
});

test.each([
  ['the status of a known code is answered with that code', { status: 404 }, 404, 'not_found'],
  ['a status of several codes is answered with the first', { status: 403 }, 403, 'forbidden'],
  ['another refusal is answered as bad input', { status: 402 }, 400, 'invalid_input'],
  ['an outage is answered as one', { status: 507 }, 503, 'unavailable'],
  ['no status is answered as an outage', {}, 503, 'unavailable'],
])('an unknown refusal of a newer service: %s [gateway-43]', async (_, more, status, code) => {
  answer = { ...refusal, ...more };
  const response = await fetch(`${gateway.url}/api/creators/ama-${crypto.randomUUID().slice(0, 8)}`);
  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ status, code, detail: 'Not before tomorrow.' }),
  ]);
});

test('unknown fields of a refusal are ignored', async () => {
  answer = { ...refusal, code: 'not_found', status: 404, since: 'tomorrow' };
  const response = await fetch(`${gateway.url}/api/creators/kofi`);
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json(; charset=utf-8)?$/);
});
