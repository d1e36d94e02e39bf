import { creators, offerings } from '@stoa/contracts';
import { makePublicCreator, waitFor } from '@stoa/testing';
import { pbkdf2 } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { GatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

const telemetry = await import('@stoa/telemetry');
const count = jest.fn(telemetry.count);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, count }));
const { startGatewayUnderTest } = await import('./gateway-under-test.ts');

const rounds = 10;

const webRoot = join(import.meta.dirname, '../../web/dist');
let gateway: GatewayUnderTest;
let serviceStubs: ServiceStubs;

beforeAll(async () => {
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

test('a profile whose offerings hang is rendered without them, and the browser loads them', async () => {
  await serviceStubs.answer(creators.find, makePublicCreator({ username: 'esi' }));
  await serviceStubs.hang(offerings.listPublic);
  const page = await fetch(`${gateway.url}/profile/esi`);
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain('Loading offerings...');
  expect(text).toContain('as="fetch" crossorigin href="/api/creators/esi/offerings"');
});

/** Requests pages while the services hang, and returns how many of them the gateway counts as late. */
async function latePages({ url }: GatewayUnderTest): Promise<number> {
  const unknown = () => `nobody-${crypto.randomUUID().slice(0, 8)}`;
  count.mockClear();
  const paths = Array.from({ length: rounds }, () => [
    `/profile/${unknown()}`,
    `/profile/${unknown()}/letters`,
    '/browse-creators',
    '/',
  ]).flat();
  await Promise.all(paths.map(async (path) => (await fetch(url + path)).text()));
  return count.mock.calls.filter(
    ([metric, labels]) =>
      metric === telemetry.metrics.answersLate && labels?.[telemetry.attributes.answerKind] === 'page',
  ).length;
}

test('a page waits at most a quarter of a second for hanging services', async () => {
  for (const request of [creators.find, creators.findMany, creators.browse, offerings.listPublic])
    await serviceStubs.hang(request);
  expect(await latePages(gateway)).toBe(0);
});

test('a page that only waits for its compression is not counted as late', async () => {
  await serviceStubs.answer(creators.find, makePublicCreator({ username: 'yaa' }));
  await serviceStubs.answer(offerings.listPublic, { items: [], pinnedId: null });
  const page = (encoding: string) =>
    fetch(`${gateway.url}/profile/yaa`, { headers: { 'accept-encoding': encoding } });
  await waitFor(async () => expect(await (await page('identity')).text()).not.toContain('Loading offerings'));
  count.mockClear();
  // Keeps all threads busy for longer than a page may wait.
  const work = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 1_000_000, 64, 'sha512'));
  const { status, headers } = await page('br');
  expect([status, headers.get('content-encoding')]).toEqual([200, 'br']);
  await Promise.all(work);
  expect(count).not.toHaveBeenCalledWith(telemetry.metrics.answersLate, expect.anything());
});

test('pages that wait longer are counted as late', async () => {
  const patient = await startGatewayUnderTest({ webRoot, settings: { PAGE_PATIENCE_MS: '1000' } });
  const stubs = new ServiceStubs(patient);
  for (const request of [creators.find, creators.findMany, creators.browse, offerings.listPublic])
    await stubs.hang(request);
  // Only some are late, because the gateway stops waiting once it has detected that the services hang.
  expect(await latePages(patient)).toBeGreaterThan(0);
  await stubs.leave();
  await patient.stop();
});
