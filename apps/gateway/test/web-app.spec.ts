import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GatewayConfig } from '../src/gateway.config.ts';
import { WebApp } from '../src/pages/web-app.ts';
import { makeWebRoot } from './web-root.ts';

let root: string;
let web: WebApp;
beforeAll(async () => {
  root = await makeWebRoot();
  await writeFile(
    join(root, 'server/render.mjs'),
    `export const renderPage = async ({ address }) => {
       if (address === '/broken') throw new Error('This page breaks.');
       return '<h1>Words</h1>';
     };`,
  );
  web = new WebApp({ SITE_URL: 'https://stoa.test/', WEB_ROOT: root } as GatewayConfig);
});
afterAll(() => rm(root, { recursive: true }));

const head = { path: '/', title: 'Stoa', description: 'Words.', indexed: true };

it('a rendered page has no Age', async () => {
  const page = await web.rendered(head, '/', { address: '/' });
  expect(page.text).toContain('<div id="root"><h1>Words</h1></div>');
  expect(page).not.toHaveProperty('ageMs');
});

it('a rendered page delays its code in a template, an empty frame does not', async () => {
  const waiting = /<template id="code"><script><\/script><link rel="modulepreload" [^>]*\/><\/template>/;
  expect((await web.rendered(head, '/', { address: '/' })).text).toMatch(waiting);
  const frame = await web.page(head, '/');
  expect(frame).not.toContain('<template');
  expect(frame).toMatch(/<script><\/script><link rel="modulepreload" [^>]*\/><\/head>/);
});

it('a page that could not be rendered is stale', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
  const page = await web.rendered(head, '/', { address: '/broken' });
  expect(page).toMatchObject({ ageMs: 0, text: expect.stringContaining('<noscript>') as unknown });
  expect(logged).toHaveBeenCalledTimes(1);
});

it('the web app is read before the first request', async () => {
  const folder = await makeWebRoot();
  const ready = new WebApp({ SITE_URL: 'https://stoa.test/', WEB_ROOT: folder } as GatewayConfig);
  await ready.onModuleInit();
  await rm(folder, { recursive: true });
  expect(await ready.page(head, '/')).toContain('<div id="root">');
});

it('a gateway starts when its web app cannot be read', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const missing = { SITE_URL: 'https://stoa.test/', WEB_ROOT: '/nowhere' } as GatewayConfig;
  await expect(new WebApp(missing).onModuleInit()).resolves.toBeUndefined();
  expect(warned).toHaveBeenCalledTimes(1);
});
