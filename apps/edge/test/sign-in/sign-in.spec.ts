import { request as send } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { signInRoutes } from '../../src/sign-in/sign-in.routes.ts';
import { accounts, site } from '../proxies-under-test.ts';
import {
  base,
  closeAll,
  logInPath,
  startSignInProxy,
  passwords,
  reserved,
  post,
  seen,
  startUpstream,
} from './sign-in-under-test.ts';

let proxy: string;
beforeAll(async () => {
  await startUpstream();
  proxy = await startSignInProxy();
});
afterEach(() => void (seen.length = 0));
afterAll(closeAll);

/** Sends the target unchanged, because `fetch` would normalize it. */
function status(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(proxy);
  send({ method, path, hostname, port, headers }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
  })
    .once('error', reject)
    .end();
  return promise;
}

describe('an allowed request', () => {
  it.each(signInRoutes('stoa').flatMap(({ url, methods }) => methods.map((method) => [method, url])))(
    '%s %s',
    async (method = '', url = '') => {
      const path = url.replace(':version', 'abc').replace('*', 'js/theme.js');
      const form = method === 'POST' ? { body: new URLSearchParams({ grant_type: 'refresh_token' }) } : {};
      const answer = await fetch(`${proxy}${path}?x=%2F&y=1`, { method, ...form });
      expect(answer.status).toBe(200);
      expect(seen.map((one) => `${one.method} ${one.url}`)).toEqual([`${method} ${path}?x=%2F&y=1`]);
    },
  );

  it('forwards a normalized form and an unchanged redirect URI', async () => {
    const form = 'username=ada&password=columns%20and+porticos&x=%c3%a9';
    const type = 'application/x-www-form-urlencoded; charset=utf-8';
    const headers = { 'content-type': type };
    const answer = await fetch(proxy + logInPath, {
      method: 'POST',
      body: form,
      headers,
      redirect: 'manual',
    });
    const body = 'username=ada&password=columns%20and%20porticos&x=%C3%A9';
    expect(seen).toMatchObject([{ body, headers: { 'content-type': type } }]);
    expect(answer.headers.get('location')).toBe(`${site}/auth/callback#code=x`);
  });

  it('for the registration page redirects a signed-in visitor to the site', async () => {
    const url = `${proxy}${base}/protocol/openid-connect/registrations?client_id=web&state=x`;
    const cookie = '__Host-KEYCLOAK_IDENTITY=1';
    const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      `${base}/protocol/openid-connect/auth?client_id=web&state=x`,
    ]);
    expect(seen).toEqual([]);
    expect((await fetch(url, { headers: { cookie: 'KEYCLOAK_IDENTITY=planted' } })).status).toBe(200);
  });

  it("renames cookies between the __Host- prefix and Keycloak's names [edge-19]", async () => {
    const cookie = 'KC=planted; __Host-KC=1; AUTH=planted; __Host-stoa-device-x=3';
    const answer = await fetch(`${proxy}${base}/protocol/openid-connect/auth`, { headers: { cookie } });
    expect(seen).toMatchObject([{ headers: { cookie: 'KC=1' } }]);
    expect(answer.headers.getSetCookie()).toEqual([
      '__Host-KC=1; Path=/; Secure',
      '__Host-AUTH=2; Path=/; Secure; HttpOnly',
    ]);
    await fetch(`${proxy}${base}/protocol/openid-connect/auth`, { headers: { cookie: 'KC=planted' } });
    expect(seen[1]?.headers).not.toHaveProperty('cookie');
  });

  it('has its X-Forwarded headers replaced [edge-20]', async () => {
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
    await fetch(`${proxy}${base}/protocol/openid-connect/certs`, { headers: lies });
    const [{ headers } = { headers: {} }] = seen;
    expect(headers).toMatchObject({
      host: new URL(accounts).host,
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-host': new URL(accounts).host,
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    });
    const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'];
    expect(Object.keys(lies).filter((name) => name in headers && !forwarded.includes(name))).toEqual([]);
  });

  it('has CORS headers only for the site [edge-21]', async () => {
    const token = `${proxy}${base}/protocol/openid-connect/token`;
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
    const certs = await fetch(`${proxy}${base}/protocol/openid-connect/certs`, { headers: { origin: site } });
    expect(certs.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('every response', () => {
  it.each([`${base}/protocol/openid-connect/auth`, '/resources/abc/login/theme.js', '/admin/', '/%'])(
    '%s has the security headers [edge-22]',
    async (path) => {
      const { headers } = await fetch(proxy + path);
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
        `connect-src 'self' ${site}`,
      ])
        expect(policy).toContain(part);
      expect(policy).not.toContain('unsafe');
      expect(headers.get('server')).toBeNull();
    },
  );

  it('to a page is Cache-Control no-store and has a charset [edge-23]', async () => {
    const { headers } = await fetch(`${proxy}${base}/protocol/openid-connect/auth`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });
});

describe('a refused request', () => {
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
  ])('%s %s', async (method, path) => {
    expect(await status(method, path)).toBe(404);
    expect(seen).toEqual([]);
  });

  it('is answered 415 with another content type, and 413 when it is too long', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await fetch(proxy + logInPath, { method: 'POST', body: '{}', headers: json })).status).toBe(415);
    expect((await post(proxy + logInPath, { username: 'x'.repeat(70_000) })).status).toBe(413);
    expect(await status('GET', `${base}/protocol/openid-connect/auth`, { cookie: 'x'.repeat(70_000) })).toBe(
      431,
    );
    expect(seen).toEqual([]);
  });

  it('gets a page in a browser and problem details in a program', async () => {
    const page = await fetch(`${proxy}/admin/`, { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('<h1>Page Not Found</h1>');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const problem = await fetch(`${proxy}/admin/`);
    expect(await problem.json()).toMatchObject({ status: 404, title: 'Not Found' });
    expect(problem.headers.get('strict-transport-security')).toContain('max-age=31536000');
  });

  it('is answered 503 while Keycloak is down', async () => {
    const lonely = await startSignInProxy({ KEYCLOAK_INTERNAL_URL: 'http://127.0.0.1:1' });
    const page = await fetch(`${lonely}${base}/protocol/openid-connect/auth`, {
      headers: { accept: 'text/html' },
    });
    expect(page.status).toBe(503);
    expect(page.headers.get('retry-after')).toBe('1');
    expect(await page.text()).toContain(
      'Signing in does not work at the moment. Please try again in a few minutes.',
    );
  });
});

it('refuses password reset links with 503 until changes of passwords are known, and passes other links', async () => {
  const keyFor = (typ: string) =>
    `e30.${Buffer.from(JSON.stringify({ typ, sub: 'eve', iat: 1 })).toString('base64url')}.x`;
  const follow = (typ: string) =>
    fetch(`${proxy}${base}/login-actions/action-token?key=${keyFor(typ)}&client_id=web`, {
      headers: { accept: 'text/html' },
    });
  passwords.forgotten = true;
  const refused = await follow('reset-credentials');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.text()).toContain('Please try again in a few minutes.');
  expect((await follow('verify-email')).status).toBe(200);
  passwords.forgotten = false;
  expect((await follow('reset-credentials')).status).toBe(200);
});

it('refuses sign-ups with 503 until reserved usernames are known, and passes log-ins', async () => {
  const post = (action: string) =>
    fetch(`${proxy}${base}/login-actions/${action}?client_id=web`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'username=ada',
    });
  reserved.forgotten = true;
  const refused = await post('registration');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await post('authenticate')).status).toBe(200);
  reserved.forgotten = false;
  expect((await post('registration')).status).toBe(200);
});

it('revokes a password reset link at the next change of the password', async () => {
  const claims = { typ: 'reset-credentials', sub: 'ada', iat: Math.floor(Date.now() / 1000) - 60 };
  const key = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
  const follow = () =>
    fetch(`${proxy}${base}/login-actions/action-token?key=${key}&client_id=web`, {
      headers: { accept: 'text/html' },
    });
  expect((await follow()).status).toBe(200);
  passwords.add({ uid: 'ada', at: new Date().toISOString() });
  const refused = await follow();
  expect(refused.status).toBe(400);
  expect(await refused.text()).toMatch(/This Link Has Expired[^]*Ask for a New Link/);
  expect(seen).toHaveLength(1);
});
