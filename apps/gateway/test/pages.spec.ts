import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';

let webRoot: string;
let gateway: GatewayUnderTest;

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'stoa-web-'));
  await writeFile(join(webRoot, 'page-files.json'), '{}');
  await writeFile(
    join(webRoot, 'index.html'),
    '<html><head><title>Stoa</title></head><body><noscript></noscript><div id="root"></div></body></html>',
  );
  gateway = await startGatewayUnderTest({ webRoot });
});
afterAll(async () => {
  await gateway.stop();
  await rm(webRoot, { recursive: true });
});

test('a profile that cannot be read is the page with 503, and no word that it is gone', async () => {
  const response = await fetch(`${gateway.url}/profile/ama`);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('content-type')).toContain('text/html');
  const html = await response.text();
  expect(html).toContain('<div id="root">');
  expect(html).not.toMatch(/noindex|not found|nothing at this address/i);
  expect(html).toContain('<link rel="canonical" href="http://localhost:8080/profile/ama" />');
});

test('an address that nobody knows is 404 and not for search engines', async () => {
  const response = await fetch(`${gateway.url}/no-such-page`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('noindex');
});
