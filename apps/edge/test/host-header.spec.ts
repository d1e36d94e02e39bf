import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, listen, mediaProxy } from './proxies-under-test.ts';
import { base, closeAll, startSignInProxy, startUpstream } from './sign-in/sign-in-under-test.ts';

let media: FastifyInstance;
const origins: Record<string, string> = {};
beforeAll(async () => {
  await startUpstream();
  media = await mediaProxy().build();
  origins['media'] = await listen(media);
  origins['sign-in'] = await startSignInProxy();
});
afterAll(async () => {
  await media.close();
  await closeAll();
});

const protections = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'x-content-type-options',
];
const line = `GET ${base}/protocol/openid-connect/certs HTTP/1.1`;
const refused: [what: string, status: number, lines: string[]][] = [
  ['no host', 400, [line]],
  ['an empty host', 400, [line, 'Host:']],
  ['a path beside the host', 400, [line, 'Host: x/y']],
  ['two hosts', 400, [line, 'Host: localhost', 'host: example.org']],
  ['input that is not HTTP', 400, ['GET / HTTP/9.9', 'Host: localhost']],
  ['two lengths', 400, ['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Content-Length: 2']],
  ['headers over the limit', 431, [line, 'Host: localhost', `X-Much: ${'a'.repeat(20_000)}`]],
  ['an unknown expectation', 417, [line, 'Host: localhost', 'Expect: a-miracle']],
];

describe.each(['media', 'sign-in'])('the proxy of %s', (name) => {
  it.each(refused)('answers %s with %i and every security header', async (_, status, lines) => {
    const [head = ''] = (await exchange(origins[name] ?? '', lines)).split('\r\n\r\n');
    const [first = '', ...headers] = head.split('\r\n');
    expect(first).toContain(` ${status} `);
    expect(headers.map((header) => header.split(':', 1)[0]?.toLowerCase())).toEqual(
      expect.arrayContaining(protections),
    );
  });
});
