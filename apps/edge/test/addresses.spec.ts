import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange, listen, mediaProxy } from './proxies-under-test.ts';
import {
  base,
  closeAll,
  emailCookie,
  emailPath,
  logInPath,
  seen,
  startSignInProxy,
  startUpstream,
} from './sign-in/sign-in-under-test.ts';
import { buckets, links, store, throughProxy } from './media/store-under-test.ts';

const auth = `${base}/protocol/openid-connect/auth`;

let proxy: string;
beforeAll(async () => {
  await startUpstream();
  proxy = await startSignInProxy({ LOG_IN_LIMIT_PER_HOUR: '1000', ACCOUNT_TRIES: '1000' });
});
afterEach(() => void (seen.length = 0));
afterAll(closeAll);

/** Sends the target as raw bytes, because an HTTP client would normalize it. Returns the status. */
async function statusOf(origin: string, target: string, method = 'GET', form = '', cookie = '') {
  const headers = ['Host: localhost', `Cookie: ${cookie}`];
  if (method === 'POST')
    headers.push('Content-Type: application/x-www-form-urlencoded', `Content-Length: ${form.length}`);
  const answer = await exchange(origin, [`${method} ${target} HTTP/1.1`, ...headers], form);
  return Number(answer.slice(9, 12));
}

describe('a forwarded address', () => {
  it.each([
    ['client_id=web&state=a+b%20c', 'client_id=web&state=a%20b%20c'],
    ['login_hint=ada+lists%40example.test', 'login_hint=ada%20lists%40example.test'],
    ['login_hint=ada%2Blists%40example.test', 'login_hint=ada%2Blists%40example.test'],
    ['login_hint=ada%2blists@example.test', 'login_hint=ada%2Blists%40example.test'],
    [
      'redirect_uri=https://stoa.test/auth/callback?a=b',
      'redirect_uri=https%3A%2F%2Fstoa.test%2Fauth%2Fcallback%3Fa%3Db',
    ],
    [
      'redirect_uri=https%3a%2f%2fstoa.test%2f%3fa%3db%26c',
      'redirect_uri=https%3A%2F%2Fstoa.test%2F%3Fa%3Db%26c',
    ],
    ['state=%26kc_action%3DUPDATE_PROFILE', 'state=%26kc_action%3DUPDATE_PROFILE'],
    ['state=1%3Bkc_action%3DUPDATE_PROFILE', 'state=1%3Bkc_action%3DUPDATE_PROFILE'],
    ['kc%5faction=%55PDATE_PASSWORD', 'kc_action=UPDATE_PASSWORD'],
    ['kc%255faction=UPDATE_PROFILE', 'kc%255faction=UPDATE_PROFILE'],
    ['state={"a":[1]}\\', 'state=%7B%22a%22%3A%5B1%5D%7D%5C'],
    ['state=%c3%a9%F0%9F%8E%A8', 'state=%C3%A9%F0%9F%8E%A8'],
    ['&&client_id=web&&x&', 'client_id=web&x='],
  ])('with the query %s reaches the upstream as %s', async (sent, asked) => {
    expect(await statusOf(proxy, `${auth}?${sent}`)).toBe(200);
    expect(seen.map(({ url }) => url)).toEqual([`${auth}?${asked}`]);
    expect([...new URLSearchParams(asked)]).toEqual([...new URLSearchParams(sent)]);
  });

  it('does not mix the parameters of a form with those of its address', async () => {
    const form = 'username=a+b%2bc&password=%e2%82%ac;x=1&credentialId=';
    expect(await statusOf(proxy, logInPath, 'POST', form)).toBe(200);
    expect(seen).toMatchObject([
      { url: logInPath, body: 'username=a%20b%2Bc&password=%E2%82%AC%3Bx%3D1&credentialId=' },
    ]);
  });
});

describe('an ambiguous address is refused:', () => {
  it.each([
    `/${auth}`,
    `${base}//protocol/openid-connect/auth`,
    `${base}/../master/protocol/openid-connect/auth`,
    `${base}/./protocol/openid-connect/auth`,
    `${base}/%2e%2e/master/protocol/openid-connect/auth`,
    `${base}/.%2E/master/protocol/openid-connect/auth`,
    `${base}/%c0%ae%c0%ae/master/protocol/openid-connect/auth`,
    `${base}/protocol%2fopenid-connect/auth`,
    `${base}/protocol%5Copenid-connect/auth`,
    `${base}/protocol/openid-connect/%61uth`,
    `${auth}%00`,
    `${auth}%3bx`,
    `${auth}%252f`,
    `${auth};x=/../../../master`,
    `${auth}#x`,
    `${base}\\..\\master\\protocol\\openid-connect\\auth`,
    '/resources/abc/login/../../../admin/',
    '/resources/abc/login/..%2f..%2f..%2fadmin/',
    '/resources/abc/login/x.js?a=1;b=2',
    `http://evil.test${auth}`,
    `${auth}?x=1;kc_action=UPDATE_PROFILE`,
    `${auth}?kc_action=UPDATE_PASSWORD&kc_action=UPDATE_PROFILE`,
    `${auth}?kc_action=UPDATE_PASSWORD&kc%5Faction=UPDATE_PROFILE`,
    `${auth}?kc_action&kc_action=UPDATE_PROFILE`,
    `${auth}?kc_action%00=UPDATE_PROFILE`,
    `${auth}?kc_action=UPDATE_PASSWORD%0a`,
    `${auth}?=kc_action`,
    `${auth}?state=%`,
    `${auth}?state=%u0041`,
    `${auth}?state=%c0%af`,
    `${auth}?state=%ed%a0%80`,
    `${auth}?state=\u00e9`,
    `${auth}?state=a#kc_action=UPDATE_PROFILE`,
  ])('%j', async (target) => {
    expect(await statusOf(proxy, target)).toBe(400);
    expect(seen).toEqual([]);
  });

  it.each([
    ['username=ada&username=bob', logInPath],
    ['username=ada&user%6eame=bob', logInPath],
    ['username=ada&=bob', logInPath],
    ['username=ada&tab_id=c', logInPath],
    ['username=ada&session%5Fcode=c', logInPath],
    ['username=ada&password=%c0%af', logInPath],
    ['username=ada\xff', logInPath],
    ['email=a%40b.test&execution=UPDATE_EMAIL', emailPath],
  ])('with the form %j', async (form, target) => {
    expect(await statusOf(proxy, target, 'POST', form, emailCookie)).toBe(400);
    expect(seen).toEqual([]);
  });
});

describe('an address of the store', () => {
  const key = `edge/${randomUUID()}`;
  let media: FastifyInstance;
  let origin: string;
  beforeAll(async () => {
    media = await mediaProxy().build();
    origin = await listen(media);
    await store.putObject(buckets.files, key, 'a sold file');
    await store.putObject(buckets.public, key, 'a picture');
  });
  afterAll(async () => {
    await store.removeObject(buckets.files, key);
    await store.removeObject(buckets.public, key);
    await media.close();
  });

  it('keeps its signature in every encoding of its query', async () => {
    const named = {
      'response-content-disposition': `attachment; filename="a b+c;d.txt"; filename*=UTF-8''%C3%A9`,
    };
    const { pathname, search } = new URL(
      await links.presignedGetObject(buckets.files, key, 60, named).then(throughProxy(() => origin)),
    );
    for (const query of [
      search,
      search.replaceAll('%20', '+'),
      search.replaceAll(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase()),
      search.replaceAll('%2F', '/'),
      search.replace('X-Amz-Date', 'X%2dAmz%2DDate'),
    ])
      expect([query, await statusOf(origin, pathname + query)]).toEqual([query, 200]);
    expect(
      await statusOf(origin, `${pathname}${search}&x-id=GetObject;response-content-type=text/html`),
    ).toBe(400);
  });

  it.each(
    Object.values(buckets).flatMap((bucket) => [
      `//${bucket}/${key}`,
      `/${bucket}//${key}`,
      `/${bucket}/./${key}`,
      `/other/../${bucket}/${key}`,
      `/${bucket}/../${buckets.files}/${key}`,
      `/${bucket}/edge%2F..%2F..%2F${buckets.files}/${key}`,
      `/${bucket}/%2e%2e/${buckets.files}/${key}`,
      `/${bucket}/${key}%00`,
      `/%73${bucket.slice(1)}/${key}`,
      `/${bucket}\\${key}`,
      `/${bucket}/${key};x`,
      `/${bucket}/${key}?a=1;b=2`,
      `/${bucket}/${key}?a=1&a=2`,
    ]),
  )('is refused when it is ambiguous: %s', async (target) => {
    expect(await statusOf(origin, target)).toBe(400);
  });
});
