import { creators } from '@stoa/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

// While a release is rolled out, services of the next one answer a gateway of this one.

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
])('a refusal that only a newer service knows: %s', async (_, more, status, code) => {
  answer = { ...refusal, ...more };
  const response = await fetch(`${gateway.url}/api/creators/ama-${crypto.randomUUID().slice(0, 8)}`);
  expect([response.status, await response.json()]).toEqual([
    status,
    expect.objectContaining({ status, code, detail: 'Not before tomorrow.' }),
  ]);
});

test('more in a refusal than is known here is left aside', async () => {
  answer = { ...refusal, code: 'not_found', status: 404, since: 'tomorrow' };
  const response = await fetch(`${gateway.url}/api/creators/kofi`);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
});
