import type { Bus } from '@stoa/messaging';
import type { FastifyInstance } from 'fastify';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordChanges } from '../../src/accounts/password-changes.ts';
import { SignInProxy } from '../../src/sign-in/sign-in.proxy.ts';
import { ReservedUsernames } from '../../src/accounts/reserved-usernames.ts';
import { SignInLimits } from '../../src/sign-in/sign-in-limits.ts';
import { configuration, listen, site } from '../proxies-under-test.ts';

// Bodies of the requests that the proxy has forwarded to this server, which replaces Keycloak.
const seen: string[] = [];
const upstream = createServer((request, response) => {
  void text(request).then((body) => {
    seen.push(body);
    response.end();
  });
});

const tokens = '/realms/stoa/protocol/openid-connect/token';
let opened: FastifyInstance;
let proxy: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const { port } = upstream.address() as AddressInfo;
  const config = configuration({ KEYCLOAK_INTERNAL_URL: `http://127.0.0.1:${port}` });
  const limits = new SignInLimits(config, {} as Bus);
  opened = await new SignInProxy(config, limits, new PasswordChanges(), new ReservedUsernames()).build();
  proxy = await listen(opened);
});
afterEach(() => {
  seen.length = 0;
});
afterAll(async () => {
  await opened.close();
  upstream.close();
});

describe('the token endpoint refuses', () => {
  const codeGrant = 'grant_type=authorization_code&code=a.b&redirect_uri=https%3A%2F%2Fstoa.test%2F';
  it.each([
    'grant_type=client_credentials&client_id=identity&client_secret=x',
    'grant_type=password&username=ada&password=x',
    'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange',
    'grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code',
    'grant_type=Refresh_Token',
    'client_id=web',
  ])('the grant type %s', async (body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: site };
    const answer = await fetch(proxy + tokens, { method: 'POST', body, headers });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'unsupported_grant_type' }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(site);
    expect(seen).toEqual([]);
  });

  it.each([
    ['', `${codeGrant}&grant_type=client_credentials`],
    ['', `grant_type=client_credentials&${codeGrant}`],
    ['', `${codeGrant}&code=b`],
    ['', `${codeGrant}&%63ode=b`],
    ['', `${codeGrant}&x=%ff`],
    ['?grant_type=client_credentials', codeGrant],
    ['?code=b', codeGrant],
  ])('an ambiguous request: %s %s', async (query, body) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: site };
    const answer = await fetch(proxy + tokens + query, { method: 'POST', body, headers });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_request' }]);
    expect(answer.headers.get('access-control-allow-origin')).toBe(site);
    expect(seen).toEqual([]);
  });

  it('a second grant type after a semicolon', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = `${codeGrant};grant_type=password`;
    await fetch(proxy + tokens, { method: 'POST', body, headers });
    expect(seen).toEqual([`${codeGrant}%3Bgrant_type%3Dpassword`]);
  });
});

it('answers an unknown Expect header with 417 and every security header', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { hostname, port } = new URL(proxy);
  const headers = { expect: 'a-miracle' };
  send({ hostname, port, path: tokens, headers }, resolve).once('error', reject).end();
  const answer = await promise;
  answer.resume();
  expect(answer.statusCode).toBe(417);
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': expect.stringContaining('max-age=31536000'),
  });
  expect(seen).toEqual([]);
});
