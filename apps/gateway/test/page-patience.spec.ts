import { creators } from '@stoa/contracts';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { makeWebRoot } from './web-root.ts';

let webRoot: string;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  webRoot = await makeWebRoot();
  const settings = { PAGE_PATIENCE_MS: '250', READ_TIMEOUT_MS: '3000' };
  gateway = await startGatewayUnderTest({ webRoot, settings });
  // Takes what it is asked, and says nothing.
  const silent = await gateway.connectAs('creators');
  for (const { subject } of [creators.find, creators.findMany, creators.browse]) silent.subscribe(subject);
  await silent.flush();
});
afterAll(async () => {
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

test('a page is there before what it waits for is given up, and a read ends within its time', async () => {
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
