import { creators, offerings } from '@stoa/contracts';
import { aPublicCreator } from '@stoa/testing';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { StandIns } from './stand-ins.ts';

let gateway: GatewayUnderTest;
let standIns: StandIns;

beforeAll(async () => {
  const webRoot = join(import.meta.dirname, '../../web/dist');
  const settings = { PAGE_PATIENCE_MS: '250', READ_TIMEOUT_MS: '3000' };
  gateway = await startGatewayUnderTest({ webRoot, settings });
  standIns = new StandIns(gateway);
});
afterEach(() => standIns.leave());
afterAll(() => gateway.stop());

test('a page is there before what it waits for is given up, and a read ends within its time', async () => {
  for (const request of [creators.find, creators.findMany, creators.browse]) await standIns.hang(request);
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

test('offerings that hang are left to the browser, and the rest of the profile is there', async () => {
  await standIns.answer(creators.find, aPublicCreator({ username: 'esi' }));
  await standIns.hang(offerings.listPublic);
  const page = await fetch(`${gateway.url}/profile/esi`);
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain('Loading offerings...');
  expect(text).toContain('as="fetch" crossorigin href="/api/creators/esi/offerings"');
});
