import { withdrawalKey, withdrawalText } from '@stoa/contracts';
import { mediaRoutes, waitFor } from '@stoa/testing';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, mediaProxy, site } from '../proxies-under-test.ts';
import { buckets, grantThrough, keys, links, region, store, throughProxy } from './store-under-test.ts';

const key = `edge/${randomUUID()}`;

let proxy: FastifyInstance;
let origin: string;
beforeAll(async () => {
  proxy = await mediaProxy().build();
  origin = await listen(proxy);
  const type = { 'Content-Type': 'image/webp', 'Cache-Control': 'public, max-age=31536000, immutable' };
  await store.putObject(buckets.public, key, 'a picture', 9, type);
  await store.putObject(buckets.files, key, 'a sold file');
});
afterAll(async () => {
  await store.removeObject(buckets.public, key);
  await store.removeObject(buckets.files, key);
  await proxy.close();
});

const through = throughProxy(() => origin);
const link = (
  response: Record<string, string> = { 'response-content-disposition': 'attachment; filename="a.txt"' },
) => links.presignedGetObject(buckets.files, key, 60, response).then(through);

const grant = (size: number) => grantThrough(through, size);

/** Parses the route tree that Fastify prints. Each line continues the path of the line above. */
function routesIn(tree: string): Record<string, string[]> {
  const parts: string[] = [];
  const found: Record<string, string[]> = {};
  for (const line of tree.split('\n')) {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (indent === undefined || part === undefined) continue;
    parts.splice(indent.length / 4, Infinity, part);
    if (methods !== undefined) found[parts.join('')] = methods.split(', ').toSorted();
  }
  return found;
}

it('has exactly the routes whose surfaces are tested', () => {
  const expected = Object.entries(mediaRoutes).flatMap(([purpose, methods]) => {
    const bucket = `/${buckets[purpose as keyof typeof mediaRoutes]}`;
    // Browsers may also post forms to the address with a trailing slash.
    const paths = purpose === 'staging' ? [bucket, `${bucket}/`] : [`${bucket}/*`];
    return paths.map((path) => [path, [...methods].toSorted()]);
  });
  expect(routesIn(proxy.printRoutes())).toEqual(Object.fromEntries(expected));
});

describe('a form for staging', () => {
  it('is forwarded, and CORS lets only the site read the response [edge-10]', async () => {
    const { url, form } = await grant(3_000_000);
    const answer = await fetch(url, { method: 'POST', body: form, headers: { origin: site } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe(site);
    const again = await grant(10);
    const foreign = { method: 'POST', body: again.form, headers: { origin: 'https://evil.test' } };
    expect((await fetch(again.url, foreign)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('is limited to 24 concurrent uploads per subscriber', async () => {
    const options = { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=x' } };
    const statusOf = (size: number, body: string) => {
      const { promise, resolve } = Promise.withResolvers<number | undefined>();
      const headers = { ...options.headers, 'content-length': String(size) };
      const upload = send(`${origin}/${buckets.staging}`, { ...options, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).once('error', () => resolve(undefined));
      upload.write(body);
      return { promise, upload };
    };
    const slow = Array.from({ length: 24 }, () => statusOf(1000, '--x'));
    await waitFor(async () => expect(await statusOf(3, '--x').promise).toBe(429), { timeout: 10_000 });
    for (const { upload } of slow) upload.destroy();
    await Promise.all(slow.map(({ promise }) => promise));
    await waitFor(async () => expect(await statusOf(3, '--x').promise).not.toBe(429), { timeout: 10_000 });
  });

  it('is refused from any other origin (CSRF)', async () => {
    const ask = (from: string, method = 'POST') =>
      fetch(`${origin}/${buckets.staging}`, {
        method: 'OPTIONS',
        headers: { origin: from, 'access-control-request-method': method },
      });
    expect((await ask(site)).headers.get('access-control-allow-methods')).toBe('POST');
    for (const answer of [await ask('https://evil.test'), await ask('null'), await ask(site, 'PUT')]) {
      expect(answer.status).toBe(403);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('is refused for another bucket, without a Content-Length and over the size limit', async () => {
    const { form } = await grant(10);
    for (const bucket of [buckets.public, buckets.files])
      expect((await fetch(`${origin}/${bucket}`, { method: 'POST', body: form })).status).toBe(403);
    expect(await status('POST', `/${buckets.staging}`, { 'content-length': String(300 * 1024 * 1024) })).toBe(
      413,
    );
    expect(await status('POST', `/${buckets.staging}`, { 'transfer-encoding': 'chunked' })).toBe(411);
    expect(await status('POST', `/${buckets.staging}?delete`, { 'content-length': '0' })).toBe(403);
  });
});

describe('a public picture', () => {
  it('ignores the query string [edge-11]', async () => {
    const query = '?response-content-type=text/html&response-content-disposition=inline&versionId=null';
    const answer = await fetch(`${origin}/${buckets.public}/${key}${query}`);
    expect(await answer.text()).toBe('a picture');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      // Caches must revalidate the picture each time, because it may have been hidden.
      'cache-control': 'public, no-cache',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*; sandbox$/),
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(
      [...answer.headers.keys()].filter((name) => /^(server|set-cookie|x-amz-|x-minio-)/.test(name)),
    ).toEqual([]);
  });

  it('supports Range, HEAD and If-None-Match', async () => {
    const url = `${origin}/${buckets.public}/${key}`;
    const part = await fetch(url, { headers: { range: 'bytes=2-' } });
    expect([part.status, await part.text()]).toEqual([206, 'picture']);
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('9');
    const known = await fetch(url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
    expect(known.status).toBe(304);
    expect((await fetch(`${origin}/${buckets.public}/none`)).headers.get('x-content-type-options')).toBe(
      'nosniff',
    );
  });
});

describe('a file', () => {
  it('is downloaded with a presigned link for the public address', async () => {
    const answer = await fetch(await link());
    expect(await answer.text()).toBe('a sold file');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it('is refused without a signature, with unsigned parameters and with another signature', async () => {
    const signed = await link();
    for (const url of [
      `${origin}/${buckets.files}/${key}`,
      `${signed}&uploads`,
      `${signed}&response-content-type=text/html`,
      signed.replace(/Signature=..../, 'Signature=0000'),
      signed.replace(buckets.files, buckets.staging),
    ])
      expect((await fetch(url)).status).toBe(403);
    expect((await fetch(`${signed}&X-Amz-Date=20200101T000000Z`)).status).toBe(400);
  });
});

describe('a withdrawn object', () => {
  const [uid, other] = [randomUUID(), randomUUID()];
  const [upload, offering] = [randomUUID(), randomUUID()];
  const pictures = [
    `profile_pictures/${uid}/${randomUUID()}/320.webp`,
    `profile_pictures/${uid}/header_${randomUUID()}/1600.avif`,
    `offering_images/${uid}/1764200000000_${upload}/320.webp`,
    `preview_cards/${uid}/${offering}/card.jpg`,
  ];
  const [face, header, cover, card] = pictures as [string, string, string, string];
  const sold = `offering_files/${uid}/${upload}`;
  const exported = `account_exports/${uid}/${randomUUID()}.zip`;
  const foreign = `profile_pictures/${other}/${randomUUID()}/320.webp`;

  beforeAll(async () => {
    for (const picture of [...pictures, foreign]) await store.putObject(buckets.public, picture, 'a picture');
    for (const file of [sold, exported]) await store.putObject(buckets.files, file, 'a file');
  });
  afterAll(async () => {
    for (const name of [...pictures, foreign, withdrawalKey(uid)])
      await store.removeObject(buckets.public, name);
    for (const name of [sold, exported]) await store.removeObject(buckets.files, name);
  });

  const withdraw = (...ids: string[]) =>
    store.putObject(buckets.public, withdrawalKey(uid), withdrawalText(ids));
  const show = async (name: string, init?: RequestInit) =>
    (await fetch(`${origin}/${buckets.public}/${name}`, init)).status;
  const save = async (name: string) =>
    (await fetch(await links.presignedGetObject(buckets.files, name, 60).then(through))).status;
  const seen = async () => [...(await Promise.all(pictures.map((name) => show(name)))), await save(sold)];
  const soon = (statuses: number[]) =>
    waitFor(async () => expect(await seen()).toEqual(statuses), { timeout: 5000 });

  it('is refused at every address of the account, and served again without the list [edge-12]', async () => {
    await soon([200, 200, 200, 200, 200]);
    await withdraw(uid);
    await soon([403, 403, 403, 403, 403]);
    const { etag } = await store.statObject(buckets.public, face);
    for (const init of [
      { method: 'HEAD' },
      { headers: { range: 'bytes=0-3' } },
      { headers: { 'if-none-match': `"${etag}"` } },
      { headers: { origin: site } },
    ])
      expect(await show(face, init)).toBe(403);
    expect(await show(`${header}?X-Amz-Signature=0`)).toBe(403);
    // The withdrawal affects neither other accounts nor the owner's export.
    expect(await show(foreign)).toBe(200);
    expect(await save(exported)).toBe(200);
    await store.removeObject(buckets.public, withdrawalKey(uid));
    await soon([200, 200, 200, 200, 200]);
  });

  it('is the only one refused when a single offering is withdrawn', async () => {
    await withdraw(upload, offering);
    await soon([200, 200, 403, 403, 403]);
    expect([cover, card].map((name) => name.split('/')[1])).toEqual([uid, uid]);
    await store.removeObject(buckets.public, withdrawalKey(uid));
    await soon([200, 200, 200, 200, 200]);
  });

  it('is listed in an object that is not public', async () => {
    await withdraw(uid);
    expect(await show(withdrawalKey(uid))).toBe(403);
    await store.removeObject(buckets.public, withdrawalKey(uid));
  });

  it('is known to a proxy that has just started [edge-13]', async () => {
    await withdraw(uid);
    const another = await mediaProxy().build();
    const address = `${await listen(another)}/${buckets.public}/${face}`;
    expect((await fetch(address)).status).toBe(403);
    await another.close();
    await store.removeObject(buckets.public, withdrawalKey(uid));
  });
});

describe('the S3 API', () => {
  const archive = {
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-meta-snowball-auto-extract': 'true',
    'x-amz-decoded-content-length': '9',
    'x-amz-trailer': 'x-amz-checksum-crc32',
    'content-encoding': 'aws-chunked',
    'x-amz-date': '20260101T000000Z',
    authorization: `AWS4-HMAC-SHA256 Credential=${keys.uploads.accessKey}/20260101/${region}/s3/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
  };
  const inQuery = `?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${keys.uploads.accessKey}%2F20260101%2F${region}%2Fs3%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=600&X-Amz-SignedHeaders=host&X-Amz-Signature=${'0'.repeat(64)}`;
  const everyBucket = Object.values(buckets);

  it.each(everyBucket)('cannot write an object to %s [edge-14]', async (bucket) => {
    const forged = `edge/${randomUUID()}`;
    for (const [query, headers] of [
      ['', {}],
      ['', archive],
      [inQuery, {}],
      [inQuery, { 'content-encoding': 'aws-chunked', 'x-amz-trailer': 'x-amz-checksum-crc32' }],
    ] as const)
      for (const method of ['PUT', 'POST', 'PATCH'])
        expect([400, 403, 411]).toContain(
          await status(method, `/${bucket}/${forged}${query}`, headers, 'forged'),
        );
    await expect(store.statObject(bucket, forged)).rejects.toThrow();
  });

  it.each([
    ['GET', '/'],
    ['GET', '/?list-type=2'],
    ...everyBucket.flatMap((bucket) => [
      ['GET', `/${bucket}`],
      ['GET', `/${bucket}/`],
      ['GET', `/${bucket}/?list-type=2`],
      ['GET', `/${bucket}?policy`],
      ['DELETE', `/${bucket}/${key}`],
    ]),
    ['GET', '/minio/admin/v3/info'],
    ['GET', '/minio/health/live'],
    ['GET', '/minio/v2/metrics/cluster'],
  ])('is refused: %s %s', async (method, target) => {
    expect(await status(method, target)).toBe(403);
  });

  it('is refused with the Authorization and date headers of S3', async () => {
    expect(await status('GET', `/${buckets.public}/${key}`, { authorization: archive.authorization })).toBe(
      403,
    );
    expect(await status('GET', `/${buckets.public}/${key}`, { 'x-amz-date': '20260101T000000Z' })).toBe(403);
  });
});

it('closes the connection after it refuses an unread form, so that the next upload works', async () => {
  const away = await mediaProxy({ S3_ENDPOINT: 'http://127.0.0.1:1' }).build();
  try {
    const { url, form } = await grant(3_000_000);
    const { pathname } = new URL(url);
    const answer = await fetch((await listen(away)) + pathname, { method: 'POST', body: form });
    expect([answer.status, answer.headers.get('connection')]).toEqual([503, 'close']);
  } finally {
    await away.close();
  }
});

it('reads a small refused form to its end, so that its sender gets the response', async () => {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  let received = '';
  socket.on('data', (data) => (received += data.toString()));
  const head = `POST /${buckets.public} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: multipart/form-data; boundary=x\r\n`;
  socket.write(`${head}content-length: 10\r\n\r\nhalf `);
  // Waits one turn of the event loop, so that the proxy may answer before the rest of the body arrives.
  await new Promise(setImmediate);
  socket.write(`laterGET / HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
  await waitFor(async () => expect(received.match(/HTTP\/1\.1 403/g)).toHaveLength(2), { timeout: 20_000 });
  socket.destroy();
});

it('answers 503 while the store is down', async () => {
  const lonely = await mediaProxy({ S3_ENDPOINT: 'http://127.0.0.1:1' }).build();
  const url = `${await listen(lonely)}/${buckets.public}/${key}`;
  const answer = await fetch(url, { headers: { origin: site } });
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.headers.get('access-control-allow-origin')).toBe(site);
  await lonely.close();
});

/** Sends the target unchanged, because `fetch` would normalize it. */
function status(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(origin);
  const type = method === 'POST' ? { 'content-type': 'multipart/form-data; boundary=x' } : {};
  const request = send({ method, path, hostname, port, headers: { ...type, ...headers } }, (answer) => {
    resolve(answer.statusCode ?? 0);
    request.destroy();
  });
  request.once('error', reject);
  if (headers['content-length']) request.flushHeaders();
  else request.end(body);
  return promise;
}
