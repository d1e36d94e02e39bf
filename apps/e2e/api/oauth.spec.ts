import { signIn, signUp } from '@stoa/realm';
import { expect, test } from '@playwright/test';
import { createHash, randomBytes } from 'node:crypto';
import { newAccount, makeCreator, type TestCreator } from '../src/creators.ts';
import { realmUrl, theSystem } from '../src/system.ts';

// Tests how Keycloak's public address follows OAuth, as a client sees it that the project did not write.
const redirectUri = () => `${theSystem().siteUrl}/auth/callback`;
const client = () => ({ issuer: realmUrl(), clientId: 'web', redirectUri: redirectUri() });
const endpoint = (name: string) => `${realmUrl()}/protocol/openid-connect/${name}`;

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

let creator: TestCreator;
test.beforeAll(async () => {
  creator = await makeCreator();
});

/** Requests an authorization code as the site does, with `changes` to the parameters. It does not follow redirects. */
function authorize(changes: Record<string, string | undefined> = {}, cookies = ''): Promise<Response> {
  const asked = {
    client_id: 'web',
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope: 'openid',
    state: 's',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...changes,
  };
  const named = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(`${endpoint('auth')}?${new URLSearchParams(named)}`, {
    redirect: 'manual',
    headers: { cookie: cookies },
  });
}

const tokenCall = (fields: Record<string, string>) =>
  fetch(endpoint('token'), { method: 'POST', body: new URLSearchParams(fields) });

const refresh = (refresh_token: string) =>
  tokenCall({ grant_type: 'refresh_token', client_id: 'web', refresh_token });

const exchange = (code: string, code_verifier = verifier) =>
  tokenCall({
    grant_type: 'authorization_code',
    client_id: 'web',
    redirect_uri: redirectUri(),
    code,
    code_verifier,
  });

/** Gets a code with the cookies of a browser that has a session, so without a form. */
async function aCode(): Promise<string> {
  const { cookies } = await signIn({ ...client(), username: creator.username, password: creator.password });
  const header = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const response = await authorize({}, header.join('; '));
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string };

test('an unregistered redirect URI is refused [e2e-19]', async () => {
  const ours = new URL(redirectUri());
  const strange = [
    'https://evil.example/auth/callback',
    `${ours.href}/`,
    `${ours.href}/../elsewhere`,
    `${ours.href}?next=https://evil.example`,
    `${ours.href}#evil`,
    `${ours.protocol}//${ours.host}@evil.example/auth/callback`,
    `${ours.protocol}//${ours.host}.evil.example/auth/callback`,
    `${ours.protocol}//localhost:1/auth/callback`,
    'javascript:alert(1)',
    '//evil.example/auth/callback',
  ];
  for (const redirect_uri of strange) {
    const response = await authorize({ redirect_uri });
    expect([redirect_uri, response.status]).toEqual([redirect_uri, 400]);
    expect(response.headers.get('location')).toBeNull();
  }
});

test('an authorization code needs PKCE with S256 [e2e-20]', async () => {
  for (const changes of [
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge: verifier, code_challenge_method: 'plain' },
    { code_challenge_method: undefined },
  ]) {
    const answer = new URL((await authorize(changes)).headers.get('location') ?? '').searchParams;
    expect(answer.get('error')).toBe('invalid_request');
    expect(answer.get('code')).toBeNull();
  }
});

test('an authorization code works once [e2e-21]', async () => {
  const code = await aCode();
  expect((await exchange(code)).status).toBe(200);
  expect((await exchange(code)).status).toBe(400);
});

test('an authorization code without its PKCE verifier is refused and consumed [e2e-22]', async () => {
  const code = await aCode();
  expect((await exchange(code, randomBytes(32).toString('base64url'))).status).toBe(400);
  expect((await exchange(code)).status).toBe(400);
});

test('reusing a refresh token revokes the session (rotation) [e2e-23]', async () => {
  const { username, password } = creator;
  const { refreshToken } = await signIn({ ...client(), username, password });
  const first = await refresh(refreshToken);
  expect(first.status).toBe(200);
  const { refresh_token: next } = (await first.json()) as { refresh_token: string };
  expect((await refresh(refreshToken)).status).toBe(400);
  expect((await refresh(next)).status).toBe(400);
});

test('grants other than the authorization code are refused [e2e-24]', async () => {
  const { username, password, token } = creator;
  const grants: Record<string, string>[] = [
    { grant_type: 'password', username, password },
    { grant_type: 'client_credentials' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
    { grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: 'x' },
    { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', subject_token: token },
    { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: token },
  ];
  for (const grant of grants) {
    const { status } = await tokenCall({ client_id: 'web', ...grant });
    expect([grant.grant_type, status >= 400 && status < 500]).toEqual([grant.grant_type, true]);
  }
  for (const response_type of ['token', 'id_token', 'id_token token', 'code token']) {
    const response = await authorize({ response_type, nonce: 'n' });
    const location = response.headers.get('location') ?? '';
    expect([response_type, /[?#&]error=/.test(location) || response.status === 400]).toEqual([
      response_type,
      true,
    ]);
  }
});

test('dynamic client registration is closed [e2e-25]', async () => {
  const clients = {
    default: { clientId: 'mine', redirectUris: ['https://evil.example/'] },
    'openid-connect': { client_name: 'mine', redirect_uris: ['https://evil.example/'] },
  };
  for (const [kind, body] of Object.entries(clients)) {
    const response = await fetch(`${realmUrl()}/clients-registrations/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([401, 403, 404]).toContain(response.status);
  }
});

test('the service client needs its secret [e2e-26]', async () => {
  const guesses: Record<string, string>[] = [{}, { client_secret: 'guessed' }];
  for (const guess of guesses) {
    const { status } = await tokenCall({ grant_type: 'client_credentials', client_id: 'identity', ...guess });
    expect([400, 401]).toContain(status);
  }
});

test('a bare logout link ends no session (logout CSRF) [e2e-27]', async () => {
  const { username, password } = creator;
  const { cookies, refreshToken } = await signIn({ ...client(), username, password });
  const header = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const answer = await fetch(endpoint('logout'), {
    headers: { cookie: header.join('; ') },
    redirect: 'manual',
  });
  await answer.text();
  expect((await refresh(refreshToken)).status).toBe(200);
});

test('tokens are signed with ES256 [e2e-28]', async () => {
  const { accessToken, idToken } = await signIn({
    ...client(),
    username: creator.username,
    password: creator.password,
  });
  const headers = [accessToken, idToken].map((token) => Buffer.from(token.split('.')[0] ?? '', 'base64url'));
  for (const header of headers) expect(JSON.parse(header.toString())).toMatchObject({ alg: 'ES256' });
});

test('each log-in creates a separate session [e2e-29]', async () => {
  const { username, password } = creator;
  const one = await signIn({ ...client(), username, password });
  const other = await signIn({ ...client(), username, password });
  expect(claimsOf(one.accessToken).sid).not.toBe(claimsOf(other.accessToken).sid);
});

test("the sign-in server's session cookies have HttpOnly and SameSite [e2e-30]", async () => {
  const cookies = (await authorize()).headers.getSetCookie();
  const opening = cookies.filter((cookie) => /^(AUTH_SESSION_ID|KC_RESTART|KEYCLOAK_IDENTITY)=/.test(cookie));
  expect(opening.length).toBeGreaterThan(0);
  for (const cookie of opening) expect(cookie).toMatch(/;\s*HttpOnly/i);
  for (const cookie of cookies) expect(cookie).toMatch(/;\s*SameSite=(None|Lax|Strict)/i);
  // Browsers refuse a cookie with SameSite=None that has no Secure attribute.
  for (const cookie of cookies) if (/SameSite=None/i.test(cookie)) expect(cookie).toMatch(/;\s*Secure/i);
});

test('a password may have any characters and a length of 100 [e2e-31]', async () => {
  const account = { ...newAccount(), password: `  ${'Ünïcode ✓ and spaces '.repeat(5)}`.slice(0, 100) };
  await signUp({ ...client(), ...account });
  const { username, password } = account;
  await expect(signIn({ ...client(), username, password })).resolves.toMatchObject({
    accessToken: expect.any(String),
  });
  for (const wrong of [password.slice(0, 99), password.toUpperCase(), password.trim()])
    await expect(signIn({ ...client(), username, password: wrong })).rejects.toThrow('Invalid');
});

test('the log-in form supports password managers [e2e-32]', async ({ page }) => {
  await page.goto('/login');
  const password = page.getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('autocomplete', /current-password/);
  await expect(page.getByLabel(/email/i).first()).toHaveAttribute('autocomplete', /username|email/);
  await expect(password).not.toHaveAttribute('onpaste', /.*/);
});
