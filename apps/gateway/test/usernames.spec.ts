import { creators } from '@stoa/contracts';
import { makePublicCreator } from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ settings: { RATE_LIMIT_PER_MINUTE: '30', TRUST_PROXY: '1' } });
  services = new ServiceStubs(gateway);
});
afterEach(() => services.leave());
afterAll(() => gateway.stop());

const check = (username: string, address = '192.0.2.1') =>
  fetch(`${gateway.url}/api/usernames/${encodeURIComponent(username)}`, {
    headers: { 'x-forwarded-for': address, origin: 'http://localhost:8180' },
  });

const ada = makePublicCreator({ username: 'ada', displayName: 'Ada', contactBy: 'form', email: null });

test('the username of a public profile is taken in any letter case, others are free [gateway-71]', async () => {
  await services.answer(creators.find, ada);
  expect(await (await check('Ada')).json()).toEqual({ username: 'ada', state: 'taken' });
  await services.leave();
  await services.refuse(creators.find, 'not_found');
  await services.answer(creators.checkUsername, { isReserved: false });
  expect(await (await check('grace')).json()).toEqual({ username: 'grace', state: 'free' });
});

test('the username of a closed account is reserved [gateway-72]', async () => {
  await services.refuse(creators.find, 'not_found');
  await services.answer(creators.checkUsername, { isReserved: true });
  expect(await (await check('Edsger')).json()).toEqual({ username: 'edsger', state: 'reserved' });
});

test('the rule for usernames is checked without a request to creators', async () => {
  const asked = await services.answer(creators.find, ada);
  for (const [username, state] of [
    ['Admin', 'reserved'],
    ['me', 'reserved'],
    ['stoa_official', 'reserved'],
    ['Adm1n', 'reserved'],
    ['ab', 'invalid'],
    ['with space', 'invalid'],
    ['n'.repeat(31), 'invalid'],
  ] as const)
    expect(await (await check(username)).json()).toMatchObject({ state });
  expect(asked).toEqual([]);
  expect((await check('n'.repeat(61))).status).toBe(400);
});

test('only the sign-up page may read the response from another origin, and it is no-store', async () => {
  const { headers } = await check('admin');
  expect(headers.get('access-control-allow-origin')).toBe('http://localhost:8180');
  expect(headers.get('access-control-allow-credentials')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
});

test('guessing usernames is limited per network [gateway-73]', async () => {
  const statuses = [];
  for (let tries = 0; tries < 31; tries += 1) statuses.push((await check('admin', '198.51.100.7')).status);
  expect(statuses.slice(0, 30)).toEqual(Array<number>(30).fill(200));
  expect(statuses.at(-1)).toBe(429);
});
