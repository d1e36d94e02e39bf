import { creators, offerings } from '@stoa/contracts';
import { makePublicCreator } from '@stoa/testing';
import { isAnsweredInTime } from '@stoa/testing/answered-in-time';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

/** No page waits longer for anything: it gives up 50 ms before. A machine that is busy lets some be late, but not half. */
const pageTime = { limitMs: 250, rounds: 20, enough: 10 };

let gateway: GatewayUnderTest;
let serviceStubs: ServiceStubs;

beforeAll(async () => {
  const webRoot = join(import.meta.dirname, '../../web/dist');
  const settings = { PAGE_PATIENCE_MS: '200', READ_TIMEOUT_MS: '3000' };
  gateway = await startGatewayUnderTest({ webRoot, settings });
  serviceStubs = new ServiceStubs(gateway);
});
afterEach(() => serviceStubs.leave());
afterAll(() => gateway.stop());

test('a page is answered before the timeout of its reads, and a read within its own', async () => {
  for (const request of [creators.find, creators.findMany, creators.browse]) await serviceStubs.hang(request);
  let ended = false;
  const read = fetch(`${gateway.url}/api/creators/ama`).finally(() => (ended = true));
  const [page, list] = await Promise.all(
    ['/profile/ama', '/browse-creators'].map((path) => fetch(gateway.url + path)),
  );
  expect(ended).toBe(false);
  expect(page?.status).toBe(503);
  expect(Number(page?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await page?.text()).toContain('<div id="root">');
  expect(list?.status).toBe(200);

  const { status, headers } = await read;
  expect(status).toBe(504);
  expect(headers.get('retry-after')).toBe('1');
});

test('a profile whose offerings hang is rendered without them, for the browser to load', async () => {
  await serviceStubs.answer(creators.find, makePublicCreator({ username: 'esi' }));
  await serviceStubs.hang(offerings.listPublic);
  const page = await fetch(`${gateway.url}/profile/esi`);
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain('Loading offerings...');
  expect(text).toContain('as="fetch" crossorigin href="/api/creators/esi/offerings"');
});

test('a page waits no longer than a quarter of a second, whatever hangs', async () => {
  for (const request of [creators.find, creators.findMany, creators.browse, offerings.listPublic])
    await serviceStubs.hang(request);
  const open = async (path: string) => (await fetch(gateway.url + path)).text();
  const still = () => open(`/no-page-${crypto.randomUUID()}`);
  const inTime = (path: () => string) => isAnsweredInTime(() => open(path()), still, pageTime);
  const unknown = () => `nobody-${crypto.randomUUID().slice(0, 8)}`;
  expect(await inTime(() => `/profile/${unknown()}`)).toBe(true);
  expect(await inTime(() => `/profile/${unknown()}/letters`)).toBe(true);
  expect(await inTime(() => '/browse-creators')).toBe(true);
  expect(await inTime(() => '/')).toBe(true);
});
