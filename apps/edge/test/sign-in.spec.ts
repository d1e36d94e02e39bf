import type { Bus } from '@stoa/messaging';
import type { FastifyInstance } from 'fastify';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordChanges } from '../src/password-changes.ts';
import { SignInDoor } from '../src/sign-in.door.ts';
import { SignInLimits } from '../src/sign-in.limits.ts';
import { signInRoutes } from '../src/sign-in.routes.ts';
import { accounts, configuration, listen, site } from './doors-under-test.ts';

// Keycloak takes longer to start than a test may; apps/e2e asks the door in front of the real one.
interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
const seen: Seen[] = [];
const rightPassword = 'columns and porticos';
const upstream = createServer((request, response) => {
  void text(request).then((body) => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body });
    response.setHeader('set-cookie', ['KC=1; Path=/realms/stoa/', 'AUTH=2; Path=/realms/stoa/; HttpOnly']);
    response.setHeader('access-control-allow-origin', headers.origin ?? 'none');
    response.setHeader('server', 'upstream');
    const form = new URLSearchParams(body);
    if (form.has('cancel'))
      response.writeHead(302, { location: `${site}/auth/callback#error=access_denied` });
    else if (form.get('password') === rightPassword) {
      response.appendHeader('set-cookie', 'KEYCLOAK_IDENTITY=3; Path=/realms/stoa/');
      response.writeHead(302, { location: `${site}/auth/callback#code=x` });
    } else response.writeHead(200, { 'content-type': 'text/html' });
    response.end('a page');
  });
});

const base = '/realms/stoa';
const logInPath = `${base}/login-actions/authenticate?session_code=a&tab_id=b`;
const resetPath = `${base}/login-actions/reset-credentials`;
const open: FastifyInstance[] = [];
const passwords = new PasswordChanges();

async function openDoor(changes: Record<string, string> = {}): Promise<string> {
  const { port } = upstream.address() as AddressInfo;
  const config = configuration({
    KEYCLOAK_INTERNAL_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: '1',
    ANSWER_STEP_MS: '1',
    ...changes,
  });
  const door = await new SignInDoor(config, new SignInLimits(config, {} as Bus), passwords).build();
  open.push(door);
  return listen(door);
}

let door: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  door = await openDoor();
});
afterEach(() => void (seen.length = 0));
afterAll(async () => {
  await Promise.all(open.map((one) => one.close()));
  upstream.close();
});

let visitors = 0;
const visitor = () => `203.0.${Math.floor((visitors += 1) / 250)}.${visitors % 250}`;

function post(
  url: string,
  fields: Record<string, string>,
  { cookie = '', from = visitor() } = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    headers: { 'x-forwarded-for': from, accept: 'text/html', ...(cookie && { cookie }) },
  });
}

/** Sends a target as it stands: fetch would tidy it up first. */
function status(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(door);
  send({ method, path, hostname, port, headers }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  })
    .once('error', reject)
    .end();
  return promise;
}

describe('what passes', () => {
  it.each(signInRoutes('stoa').flatMap(({ url, methods }) => methods.map((method) => [method, url])))(
    '%s %s',
    async (method = '', url = '') => {
      const path = url.replace(':version', 'abc').replace('*', 'js/theme.js');
      const form = method === 'POST' ? { body: new URLSearchParams({ grant_type: 'refresh_token' }) } : {};
      const answer = await fetch(`${door}${path}?x=%2F&y=1`, { method, ...form });
      expect(answer.status).toBe(200);
      expect(seen.map((one) => `${one.method} ${one.url}`)).toEqual([`${method} ${path}?x=%2F&y=1`]);
    },
  );

  it('keeps the form and the way back as they are', async () => {
    const form = 'username=ada&password=columns%20and+porticos&x=%C3%A9';
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    const headers = { 'content-type': type };
    const answer = await fetch(door + logInPath, { method: 'POST', body: form, headers, redirect: 'manual' });
    expect(seen).toMatchObject([{ body: form, headers: { 'content-type': type } }]);
    expect(answer.headers.get('location')).toBe(`${site}/auth/callback#code=x`);
  });

  it('has its cookies under names that only this host can set, and Keycloak under its own', async () => {
    const cookie = 'KC=planted; __Host-KC=1; AUTH=planted; __Host-stoa-device-x=3';
    const answer = await fetch(`${door}${base}/protocol/openid-connect/auth`, { headers: { cookie } });
    expect(seen).toMatchObject([{ headers: { cookie: 'KC=1' } }]);
    expect(answer.headers.getSetCookie()).toEqual([
      '__Host-KC=1; Path=/; Secure',
      '__Host-AUTH=2; Path=/; Secure; HttpOnly',
    ]);
    await fetch(`${door}${base}/protocol/openid-connect/auth`, { headers: { cookie: 'KC=planted' } });
    expect(seen[1]?.headers).not.toHaveProperty('cookie');
  });

  it('tells Keycloak itself where a request came from, and nothing that the request says of it', async () => {
    const lies = {
      forwarded: 'for=1.1.1.1',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      'x-forwarded-port': '1',
      'x-forwarded-prefix': '/evil',
      'x-forwarded-for': '1.1.1.1, 203.0.113.9',
      'x-real-ip': '1.1.1.1',
      'x-original-url': '/admin',
      'x-rewrite-url': '/admin',
      'x-http-method-override': 'PUT',
      'ssl-client-cert': 'x',
      authorization: 'Bearer x',
    };
    await fetch(`${door}${base}/protocol/openid-connect/certs`, { headers: lies });
    const [{ headers } = { headers: {} }] = seen;
    expect(headers).toMatchObject({
      host: new URL(accounts).host,
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': new URL(accounts).host,
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    });
    const told = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'];
    expect(Object.keys(lies).filter((name) => name in headers && !told.includes(name))).toEqual([]);
  });

  it('is shared with scripts of the site alone', async () => {
    const token = `${door}${base}/protocol/openid-connect/token`;
    const ask = (origin: string) =>
      fetch(token, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token' }),
        headers: { origin },
      });
    expect((await ask(site)).headers.get('access-control-allow-origin')).toBe(site);
    for (const origin of ['https://evil.test', 'null', `${site}.evil.test`])
      expect((await ask(origin)).headers.get('access-control-allow-origin')).toBeNull();
    const preflight = (origin: string, method: string) =>
      fetch(token, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': method } });
    expect((await preflight(site, 'POST')).status).toBe(204);
    expect((await preflight('https://evil.test', 'POST')).status).toBe(403);
    expect((await preflight(site, 'PUT')).headers.get('access-control-allow-origin')).toBeNull();
    const certs = await fetch(`${door}${base}/protocol/openid-connect/certs`, { headers: { origin: site } });
    expect(certs.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every answer', () => {
  it.each([`${base}/protocol/openid-connect/auth`, '/resources/abc/login/theme.js', '/admin/', '/%'])(
    '%s says what a browser may do with it',
    async (path) => {
      const { headers } = await fetch(door + path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.get('permissions-policy')).not.toContain('publickey-credentials');
      expect(headers.get('origin-agent-cluster')).toBe('?1');
      expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      const policy = headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "base-uri 'none'",
        `frame-ancestors ${site}`,
      ])
        expect(policy).toContain(part);
      expect(policy).not.toContain('unsafe');
      expect(headers.get('server')).toBeNull();
    },
  );

  it('that is a page is kept nowhere and says its character set', async () => {
    const { headers } = await fetch(`${door}${base}/protocol/openid-connect/auth`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('what does not pass', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/admin/'],
    ['GET', '/admin/realms/stoa/users'],
    ['GET', '/realms/master/.well-known/openid-configuration'],
    ['POST', '/realms/master/protocol/openid-connect/token'],
    ['GET', '/realms/STOA/protocol/openid-connect/auth'],
    ['GET', `${base}`],
    ['GET', `${base}/account/`],
    ['GET', `${base}/device`],
    ['POST', `${base}/protocol/openid-connect/auth/device`],
    ['POST', `${base}/protocol/openid-connect/ext/ciba/auth`],
    ['POST', `${base}/protocol/openid-connect/ext/par/request`],
    ['POST', `${base}/protocol/openid-connect/token/introspect`],
    ['POST', `${base}/protocol/openid-connect/revoke`],
    ['GET', `${base}/protocol/openid-connect/userinfo`],
    ['GET', `${base}/protocol/openid-connect/login-status-iframe.html`],
    ['GET', `${base}/protocol/saml`],
    ['POST', `${base}/clients-registrations/openid-connect`],
    ['GET', `${base}/broker/x/login`],
    ['GET', `${base}/login-actions/first-broker-login`],
    ['GET', `${base}/protocol/openid-connect/token`],
    ['PUT', `${base}/protocol/openid-connect/token`],
    ['DELETE', `${base}/login-actions/authenticate`],
    ['TRACE', `${base}/protocol/openid-connect/auth`],
    ['GET', '/resources/abc/admin/x.js'],
    ['GET', '/resources/abc/account/x.js'],
    ['GET', '/metrics'],
    ['GET', '/health/ready'],
    ['GET', '/js/keycloak.js'],
    ['GET', `${base}/protocol/openid-connect/auth/`],
    ['GET', `/${base}/protocol/openid-connect/auth`],
    ['GET', `${base}/../master/protocol/openid-connect/auth`],
    ['GET', `${base}/%2e%2e/master/protocol/openid-connect/auth`],
    ['GET', `${base}/protocol/openid-connect/%61uth`],
    ['GET', `${base}/protocol/openid-connect/auth;x=/../../../master`],
    ['GET', `${base}\\..\\master\\protocol\\openid-connect\\auth`],
    ['GET', '/resources/abc/login/../../../admin/'],
    ['GET', `http://evil.test${base}/protocol/openid-connect/auth`],
  ])('%s %s', async (method, path) => {
    expect(await status(method, path)).toBe(404);
    expect(seen).toEqual([]);
  });

  it('a form of another kind, and one too long', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await fetch(door + logInPath, { method: 'POST', body: '{}', headers: json })).status).toBe(415);
    expect((await post(door + logInPath, { username: 'x'.repeat(70_000) })).status).toBe(413);
    expect(await status('GET', `${base}/protocol/openid-connect/auth`, { cookie: 'x'.repeat(70_000) })).toBe(
      431,
    );
    expect(seen).toEqual([]);
  });

  it('is said in a page of the door to people, and in problem details to programs', async () => {
    const page = await fetch(`${door}/admin/`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<h1>Page Not Found</h1>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const problem = await fetch(`${door}/admin/`);
    expect(await problem.json()).toMatchObject({ status: 404, title: 'Not Found' });
    expect(problem.headers.get('strict-transport-security')).toContain('max-age=31536000');
  });

  it('says that Keycloak is away', async () => {
    const lonely = await openDoor({ KEYCLOAK_INTERNAL_URL: 'http://127.0.0.1:1' });
    const page = await fetch(`${lonely}${base}/protocol/openid-connect/auth`, {
      headers: { accept: 'text/html' },
    });
    expect(page.status).toBe(503);
    expect(await page.text()).toContain(
      'Signing in does not work at the moment. Please try again in a few minutes.',
    );
  });
});

describe('tries', () => {
  const wrong = { username: 'ada', password: 'wrong' };
  const right = { username: 'ada', password: rightPassword };
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('__Host-stoa-device-'))
      ?.split(';')[0] ?? '';

  it('lock an account for strangers, and never for the browser of its owner', async () => {
    const own = await openDoor({ ACCOUNT_TRIES: '3' });
    const cookie = cookieOf(await post(own + logInPath, right));
    expect(cookie).not.toBe('');
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries += 1) statuses.push((await post(own + logInPath, wrong)).status);
    // The owner's first log-in was a stranger's try as well.
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await post(own + logInPath, right);
    expect(await refused.text()).toMatch(/Too many tries\. Please wait \d+ minutes? and try again\./);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(own + logInPath, right, { cookie })).status).toBe(302);
    // Neither an unknown name nor another spelling says anything else.
    for (const username of ['nobody', 'NoBody ', '%00nobody'])
      expect(
        (await post(own + logInPath, { username: decodeURIComponent(username), password: 'x' })).status,
      ).toBe(200);
    expect((await post(own + logInPath, { username: 'nobody', password: 'x' })).status).toBe(429);
  });

  it('are counted for a known browser too, which keeps the account of the others', async () => {
    const own = await openDoor({ ACCOUNT_TRIES: '2' });
    const cookie = cookieOf(await post(own + logInPath, right));
    const statuses: number[] = [];
    for (let tries = 0; tries < 3; tries += 1)
      statuses.push((await post(own + logInPath, wrong, { cookie })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await post(own + logInPath, right)).status).toBe(302);
  });

  it.each([
    ['whoever cancels', { username: 'ada', cancel: '1' }, ''],
    ['whoever is signed in already', right, '__Host-KEYCLOAK_IDENTITY=4'],
    ['a code of a second factor', { ...right, otp: '123456' }, ''],
  ])('%s gets no cookie of a known browser', async (_, form, cookie) => {
    const answer = await post(door + logInPath, form, { cookie });
    expect(answer.status).toBe(302);
    expect(cookieOf(answer)).toBe('');
  });

  it('in another character set than ours are refused: the name in them would be another', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' };
    const answer = await fetch(door + logInPath, {
      method: 'POST',
      headers,
      body: 'username=ada&password=x',
    });
    expect(answer.status).toBe(415);
    expect(seen).toEqual([]);
  });

  it('at many accounts are counted by address, of IPv6 by subscriber', async () => {
    const own = await openDoor({ LOG_IN_LIMIT_PER_HOUR: '2', ACCOUNT_TRIES: '9' });
    const spray = (n: number) =>
      post(own + logInPath, { username: `user${n}`, password: 'x' }, { from: `2001:db8::${n}` });
    expect([(await spray(1)).status, (await spray(2)).status, (await spray(3)).status]).toEqual([
      200, 200, 429,
    ]);
    const elsewhere = await post(own + logInPath, wrong, { from: '2001:db8:0:1::1' });
    expect(elsewhere.status).toBe(200);
  });

  it.each([
    ['REGISTRATION_LIMIT_PER_HOUR', `${base}/login-actions/registration`],
    ['RESET_LIMIT_PER_HOUR', resetPath],
    ['TOKEN_LIMIT_PER_MINUTE', `${base}/protocol/openid-connect/token`],
    ['RESET_MAILS_PER_HOUR', `${base}/login-actions/required-action`],
    ['REQUEST_LIMIT_PER_MINUTE', `${base}/login-actions/required-action`],
  ])('%s holds for one address', async (limit, path) => {
    const own = await openDoor({ [limit]: '1' });
    const from = visitor();
    const form = { grant_type: 'refresh_token', email: 'ada@stoa.test' };
    expect((await post(own + path, form, { from })).status).toBe(200);
    expect((await post(own + path, form, { from })).status).toBe(429);
    expect((await post(own + path, form)).status).toBe(200);
  });

  it('to have a mail sent answer alike when no more is sent', async () => {
    const answers: string[] = [];
    const ask = () => post(door + resetPath, { username: 'Ada@stoa.test' }, { from: '203.1.0.1' });
    for (let tries = 0; tries < 4; tries += 1) answers.push(await (await ask()).text());
    expect(new Set(answers)).toEqual(new Set(['a page']));
    const asked = seen.map(({ body }) => new URLSearchParams(body).get('username'));
    expect(asked).toEqual([...Array<string>(3).fill('Ada@stoa.test'), 'nobody@stoa.invalid']);
  });
});

it('a link for a new password ends with the next change of the password', async () => {
  const claims = { typ: 'reset-credentials', sub: 'ada', iat: Math.floor(Date.now() / 1000) - 60 };
  const key = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const follow = () =>
    fetch(`${door}${base}/login-actions/action-token?key=${key}&client_id=web`, {
      headers: { accept: 'text/html' },
    });
  expect((await follow()).status).toBe(200);
  passwords.add({ uid: 'ada', at: new Date().toISOString() });
  const refused = await follow();
  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(/This Link Has Expired[^]*Ask for a New Link/);
  expect(seen).toHaveLength(1);
});
