import { findAsset } from '@stoa/messaging';
import { waitFor } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { assetType } from '../src/pages/asset-names.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { makeWebRoot } from './web-root.ts';

// One gateway serves an invented earlier release, the other one serves this build of the web app.

const built = join(import.meta.dirname, '../../web/dist');
const script = `export const words = '${'Ink and paper. '.repeat(200)}';`;
const olderScript = 'page-OldHash1.js';
const olderPicture = 'book-OldHash1.webp';

let older: string;
let gateway: GatewayUnderTest;
let newer: Awaited<ReturnType<GatewayUnderTest['addReplica']>>;
let ownNames: string[];

beforeAll(async () => {
  older = await makeWebRoot();
  await mkdir(join(older, 'assets'));
  await writeFile(join(older, 'assets', olderScript), script);
  await writeFile(join(older, 'assets', `${olderScript}.br`), brotliCompressSync(script));
  await writeFile(join(older, 'assets', olderPicture), Buffer.of(1, 2, 3, 0, 255));
  const limit = { PAGE_LIMIT_PER_MINUTE: '1000000' };
  gateway = await startGatewayUnderTest({ webRoot: older, settings: limit, ownNats: true });
  newer = await gateway.addReplica({ WEB_ROOT: built });
  ownNames = (await readdir(join(built, 'assets'))).filter((name) => !name.endsWith('.br'));
});
afterAll(async () => {
  await newer.stop();
  await gateway.stop();
  await rm(older, { recursive: true });
});

const get = (site: string, name: string, encoding = 'br, gzip') =>
  fetch(`${site}/assets/${name}`, { headers: { 'accept-encoding': encoding } });

test('every file of the build has a name that another release can request', () => {
  expect(ownNames.length).toBeGreaterThan(50);
  expect(ownNames.filter((name) => assetType(name) === undefined)).toEqual([]);
});

test('every script of a page belongs to its release, except two that work for all releases', async () => {
  const html = await (await fetch(`${newer.url}/about`)).text();
  const scripts = [...html.matchAll(/<script\b[^>]*\ssrc="([^"]+)"/g)].map(([, src = '']) => src);
  expect(scripts.length).toBeGreaterThan(2);
  const unnamed = scripts.filter((src) => !src.startsWith('/assets/') || !assetType(basename(src)));
  expect(unnamed).toEqual(['/theme.js', '/early-input.js']);
});

test.each(['bytes=0-3', 'bytes=9-0', 'bytes=99999999-'])(
  'a file of the build ignores the range %s',
  async (range) => {
    const url = `${gateway.url}/assets/${olderScript}`;
    const response = await fetch(url, { headers: { range, 'accept-encoding': 'identity' } });
    expect([response.status, await response.text()]).toEqual([200, script]);
    expect(response.headers.get('accept-ranges')).toBeNull();
  },
);

test('an older replica serves the script that starts the code of a page', async () => {
  const html = await (await fetch(`${newer.url}/about`)).text();
  expect(html).toContain('<template id="code">');
  const [, begin = ''] = /<script src="\/assets\/([^"]+)"/.exec(html) ?? [];
  const response = await get(gateway.url, begin);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("getElementById('code')");
});

test('the fallback that starts the code of a page has a fixed name, and precedes that script', async () => {
  const html = await (await fetch(`${newer.url}/about`)).text();
  const scripts = [...html.matchAll(/<script src="([^"]+)"/g)].map(([, src = '']) => src);
  expect(scripts).toEqual(['/theme.js', '/early-input.js', expect.stringMatching(/^\/assets\/begin-code-/)]);
  const response = await fetch(`${newer.url}/early-input.js`);
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-cache']);
  expect(await response.text()).toContain("getElementById('code')");
});

test('an older replica serves every file of a newer release with the same headers [gateway-44]', async () => {
  const files = new Set(await readdir(join(built, 'assets')));
  const compared = [
    'content-type',
    'cache-control',
    'vary',
    'content-security-policy',
    'x-content-type-options',
  ];
  const answerOf = async (site: string, name: string) => {
    const response = await get(site, name);
    const bytes = Buffer.from(await response.arrayBuffer()).toString('base64');
    // Files without a `.br` variant are compressed only by the release that has them on disk.
    const headers = files.has(`${name}.br`) ? [...compared, 'content-encoding'] : compared;
    return {
      name,
      status: response.status,
      bytes,
      headers: headers.map((header) => response.headers.get(header)),
    };
  };
  for (const name of ownNames)
    expect(await answerOf(gateway.url, name)).toEqual({ ...(await answerOf(newer.url, name)), status: 200 });
});

test('a newer replica serves a file of an older release [gateway-45]', async () => {
  const response = await get(newer.url, olderScript);
  expect([response.status, await response.text()]).toEqual([200, script]);
  expect(response.headers.get('content-encoding')).toBe('br');
  const picture = await get(newer.url, olderPicture);
  expect([...new Uint8Array(await picture.arrayBuffer())]).toEqual([1, 2, 3, 0, 255]);
});

test.each(['gzip', 'identity'])(
  'a file of another release is served to clients that accept only %s',
  async (encoding) => {
    const response = await get(newer.url, olderScript, encoding);
    expect(await response.text()).toBe(script);
    expect(response.headers.get('content-encoding')).toBe(encoding === 'gzip' ? 'gzip' : null);
  },
);

test.each([
  ['no release has', 'page-Unknown1.js'],
  ['no build gives', 'no-hash.js'],
  ['is no subject', 'a..b-OldHash1.js'],
  ['is of another type', 'page-OldHash1.html'],
  ['is every subject', '%3E'],
  ['leads elsewhere', '..%2Findex-OldHash1.js'],
])('a name that %s is 404 and no-store [gateway-46]', async (_, name) => {
  for (const site of [gateway.url, newer.url]) {
    const response = await get(site, name);
    expect(response.status).toBe(404);
    expect(response.headers.get('cache-control')).toBe('no-store');
    await response.body?.cancel();
  }
});

test('an unknown name is found once a release has it', async () => {
  const later = 'late-OldHash1.css';
  expect((await get(newer.url, later)).status).toBe(404);
  await writeFile(join(older, 'assets', later), 'p { color: red }');
  const replica = await gateway.addReplica({ WEB_ROOT: older });
  await waitFor(async () => expect((await get(newer.url, later)).status).toBe(200), { timeout: 10_000 });
  await replica.stop();
});

test('a restarted replica uploads no file again on the same day', async () => {
  const connection = await gateway.connectAs('provision');
  const count = async () =>
    (await connection.request('$JS.API.STREAM.INFO.ASSETS', '')).json<{ state: { last_seq: number } }>().state
      .last_seq;
  const before = await count();
  const replica = await gateway.addReplica({ WEB_ROOT: built });
  await replica.stop();
  expect(await count()).toBe(before);
});

test('without NATS a replica starts, serves its own files, and answers 503 for others', async () => {
  const known = await get(newer.url, olderScript);
  expect(known.status).toBe(200);
  await gateway.loseNats();
  const replica = await gateway.addReplica({ WEB_ROOT: built });
  expect((await get(replica.url, ownNames[0]!)).status).toBe(200);
  const away = await get(replica.url, olderScript);
  expect([away.status, away.headers.has('retry-after')]).toEqual([503, true]);
  expect((await get(newer.url, olderScript)).status).toBe(200);
  await gateway.startNats();
  await waitFor(async () => expect((await get(replica.url, olderScript)).status).toBe(200), {
    timeout: 20_000,
  });
  await replica.stop();
});

test('a name with the wildcard of a subject is refused', async () => {
  const connection = await gateway.connectAs('gateway');
  await expect(findAsset(connection, { app: 'gateway', name: 'a.>' })).rejects.toThrow('no name');
});
