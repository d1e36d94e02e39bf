import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  base,
  closeAll,
  emailCookie,
  emailPath,
  logInPath,
  startSignInProxy,
  post,
  resetPath,
  rightPassword,
  seen,
  startUpstream,
  tokenPath,
  visitor,
} from './sign-in-under-test.ts';

let proxy: string;
beforeAll(async () => {
  await startUpstream();
  proxy = await startSignInProxy();
});
afterEach(() => void (seen.length = 0));
afterAll(closeAll);

describe('attempts', () => {
  const wrong = { username: 'ada', password: 'wrong' };
  const right = { username: 'ada', password: rightPassword };
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .filter((cookie) => cookie.startsWith('__Host-stoa-device-'))
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  /** Logs in, and returns the cookies of the browser, which the account then knows. */
  const known = async (own: string, name = 'ada') =>
    cookieOf(await post(own + tokenPath, { grant_type: 'authorization_code', code: name }));

  it('lock an account for unknown browsers, never for the browser of its owner [edge-16]', async () => {
    const own = await startSignInProxy({ ACCOUNT_TRIES: '3' });
    expect((await post(own + logInPath, right)).status).toBe(302);
    const cookie = await known(own);
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries += 1) statuses.push((await post(own + logInPath, wrong)).status);
    // The owner's first log-in has already counted as an attempt of an unknown browser.
    expect(statuses).toEqual([200, 200, 429, 429]);
    const refused = await post(own + logInPath, right);
    expect(await refused.text()).toMatch(/Too many tries\. Please wait \d+ minutes? and try again\./);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(own + logInPath, right, { cookie })).status).toBe(302);
    expect((await post(own + logInPath, right, { cookie: await known(own, 'bob') })).status).toBe(429);
    // A name without an account gets the same responses, in all spellings.
    for (const username of ['nobody', 'NoBody ', ' nobody'])
      expect((await post(own + logInPath, { username, password: 'x' })).status).toBe(200);
    expect((await post(own + logInPath, { username: 'nobody', password: 'x' })).status).toBe(429);
  });

  it('are limited for a known browser too, without locking out unknown ones', async () => {
    const own = await startSignInProxy({ ACCOUNT_TRIES: '2' });
    const cookie = await known(own);
    const statuses: number[] = [];
    for (let tries = 0; tries < 3; tries += 1)
      statuses.push((await post(own + logInPath, wrong, { cookie })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect((await post(own + logInPath, right)).status).toBe(302);
  });

  it('are counted per browser after a log-in, for each name of the account', async () => {
    const own = await startSignInProxy({ ACCOUNT_TRIES: '1' });
    const cookie = await known(own);
    expect(cookie.split('; ')).toHaveLength(3);
    for (const username of ['ada', 'ADA@stoa.test']) {
      expect((await post(own + logInPath, { ...wrong, username })).status).toBe(200);
      expect((await post(own + logInPath, { ...wrong, username })).status).toBe(429);
      expect((await post(own + logInPath, { ...wrong, username }, { cookie })).status).toBe(200);
    }
  });

  it.each([
    ['a password alone', logInPath, right],
    ['a response without tokens', tokenPath, { grant_type: 'refresh_token', refresh_token: 'x' }],
  ])('do not make a browser known after %s', async (_, path, form) => {
    expect(cookieOf(await post(proxy + path, form))).toBe('');
  });

  it('are refused in a charset other than UTF-8', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-16' };
    const answer = await fetch(proxy + logInPath, {
      method: 'POST',
      headers,
      body: 'username=ada&password=x',
    });
    expect(answer.status).toBe(415);
    expect(seen).toEqual([]);
  });

  it('are limited by IP address over all accounts, IPv6 by /64 [edge-17]', async () => {
    const own = await startSignInProxy({ LOG_IN_LIMIT_PER_HOUR: '2', ACCOUNT_TRIES: '9' });
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
    ['REQUEST_LIMIT_PER_MINUTE', `${base}/login-actions/required-action`],
  ])('are limited per IP address by %s [edge-18]', async (limit, path) => {
    const own = await startSignInProxy({ [limit]: '1' });
    const from = visitor();
    const form = { grant_type: 'refresh_token', username: 'ada@stoa.test' };
    expect((await post(own + path, form, { from })).status).toBe(200);
    expect((await post(own + path, form, { from })).status).toBe(429);
    expect((await post(own + path, form)).status).toBe(200);
  });

  it('to change the address are limited per IP address and recipient by RESET_MAILS_PER_HOUR', async () => {
    const own = await startSignInProxy({ RESET_MAILS_PER_HOUR: '1' });
    const from = visitor();
    const name = (at = from) =>
      post(own + emailPath, { email: 'ada@stoa.test' }, { from: at, cookie: emailCookie });
    expect([(await name()).status, (await name()).status, (await name(visitor())).status]).toEqual([
      200, 429, 200,
    ]);
  });

  it('to change the address are limited per IP address, and count only with a form that Keycloak showed', async () => {
    const own = await startSignInProxy({ RESET_LIMIT_PER_HOUR: '2', MAILS_PER_RECIPIENT_AND_HOUR: '1' });
    const from = visitor();
    const name = (path: string, email: string) => post(own + path, { email }, { from, cookie: emailCookie });
    const unmarked = emailPath.replace(/&stoa_step=[^&]*/, '');
    const begun = `${base}/login-actions/required-action?execution=UPDATE_EMAIL&tab_id=b`;
    for (const path of [begun, unmarked, emailPath.replace('session_code=a', 'session_code=c')])
      for (let tries = 0; tries < 3; tries += 1) {
        const answer = await name(path, 'ada@stoa.test');
        expect([answer.status, answer.headers.get('location')]).toEqual([
          303,
          expect.stringMatching(/required-action\?tab_id=b$/),
        ]);
      }
    expect(seen).toEqual([]);
    const statuses: number[] = [];
    for (const email of ['ada@stoa.test', 'eve@stoa.test', 'bob@stoa.test'])
      statuses.push((await name(emailPath, email)).status);
    expect(statuses).toEqual([200, 200, 429]);
    // Forms that change something else cause no mail, so they are not limited.
    expect((await post(own + emailPath, { displayName: 'Ada' }, { from, cookie: emailCookie })).status).toBe(
      200,
    );
  });

  it('to request a mail get the same response over the limit', async () => {
    const answers: string[] = [];
    const ask = () => post(proxy + resetPath, { username: 'Ada@stoa.test' }, { from: '203.1.0.1' });
    for (let tries = 0; tries < 4; tries += 1) answers.push(await (await ask()).text());
    expect(new Set(answers)).toEqual(new Set(['a page']));
    const asked = seen.map(({ body }) => new URLSearchParams(body).get('username'));
    expect(asked).toEqual([...Array<string>(3).fill('Ada@stoa.test'), 'nobody@stoa.invalid']);
  });

  it.each(['ada', 'ada.stoa.test', ' Ada '])(
    'to request a mail by a name that is not an address send no mail: %s',
    async (name) => {
      expect(await (await post(proxy + resetPath, { username: name })).text()).toBe('a page');
      expect(new URLSearchParams(seen.at(-1)?.body).get('username')).toBe('nobody@stoa.invalid');
    },
  );

  it('to request a mail are limited over all known browsers, which count as unknown beyond that', async () => {
    const own = await startSignInProxy({ RESET_MAILS_PER_HOUR: '1' });
    const from = visitor();
    const reset = async (cookie: string, at: string) => {
      await post(own + resetPath, { username: 'ada@stoa.test' }, { cookie, from: at });
      return new URLSearchParams(seen.at(-1)?.body).get('username');
    };
    const asked: (string | null)[] = [];
    for (const at of [visitor(), from, from]) asked.push(await reset(await known(own), at));
    expect(asked).toEqual(['ada@stoa.test', 'ada@stoa.test', 'nobody@stoa.invalid']);
    // The unknown browsers of another network still have their own share.
    expect(await reset('', visitor())).toBe('ada@stoa.test');
  });

  it('to request a mail count as unknown in the browser of an account with an unconfirmed address', async () => {
    const own = await startSignInProxy({ RESET_MAILS_PER_HOUR: '1' });
    const from = visitor();
    const cookie = await known(own, 'eve');
    const asked: (string | null)[] = [];
    for (let tries = 0; tries < 2; tries += 1) {
      await post(own + resetPath, { username: 'eve@stoa.test' }, { cookie, from });
      asked.push(new URLSearchParams(seen.at(-1)?.body).get('username'));
    }
    expect(asked).toEqual(['eve@stoa.test', 'nobody@stoa.invalid']);
  });
});
