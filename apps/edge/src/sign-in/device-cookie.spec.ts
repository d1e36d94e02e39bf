import { expect, it } from '@jest/globals';
import { DeviceCookies } from './device-cookie.ts';

const https = new URL('https://accounts.stoa.test');
let now = Date.parse('2026-01-01');
const cookies = new DeviceCookies('a secret of this installation', https, () => now);
const sent = (setCookie: string) => setCookie.split(';')[0] ?? '';

it('recognizes a browser, and distinguishes two browsers of one account', () => {
  const [one, other] = [sent(cookies.issue('ada')), sent(cookies.issue('ada'))];
  expect(cookies.deviceOf('ada', `x=1; ${one}; y=2`)).toMatch(/^[\w-]{16}$/);
  expect(cookies.deviceOf('ada', one)).not.toBe(cookies.deviceOf('ada', other));
});

it('rejects a cookie that is forged, expired or of another account', () => {
  const cookie = sent(cookies.issue('ada'));
  const forged = cookie.replace(/\.(\d+)\./, (_, until: string) => `.${Number(until) + 1}.`);
  const moved = `${sent(cookies.issue('bob')).split('=')[0]}=${cookie.split('=')[1]}`;
  expect(cookies.deviceOf('bob', cookie)).toBeUndefined();
  expect(cookies.deviceOf('bob', moved)).toBeUndefined();
  expect(cookies.deviceOf('ada', forged)).toBeUndefined();
  expect(new DeviceCookies('another', https).deviceOf('ada', cookie)).toBeUndefined();
  expect(cookies.deviceOf('ada', undefined)).toBeUndefined();
  now += 183 * 24 * 60 * 60 * 1000;
  expect(cookies.deviceOf('ada', cookie)).toBeUndefined();
});

it('issues an HttpOnly, Secure __Host- cookie that names no account [edge-3]', () => {
  const cookie = cookies.issue('ada@stoa.test');
  expect(cookie).toMatch(
    /^__Host-stoa-device-[\w-]{8}=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(cookie).not.toContain('ada');
  const local = new DeviceCookies('a secret', new URL('http://localhost:8180')).issue('ada');
  expect(local).toMatch(/^stoa-device-/);
  expect(local).not.toContain('Secure');
});
