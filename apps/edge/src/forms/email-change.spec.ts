import { expect, it } from '@jest/globals';
import { EmailChangeCookies } from './email-change.ts';

const site = new URL('https://accounts.stoa.test');
const page = '<form action="/login-actions/authenticate?session_code=s&amp;tab_id=one">';

it('accepts only the log-in that was started to change the email, for half an hour', () => {
  let now = 0;
  const changes = new EmailChangeCookies('a key of the tests alone', site, () => now);
  const [cookie = ''] = changes.issue(page)?.split(';') ?? [];
  expect(cookie).toMatch(/^__Host-stoa-email-change=/);
  expect(changes.isValid('one', `a=b; ${cookie}`)).toBe(true);
  for (const [tab, cookies] of [
    ['two', cookie],
    [null, cookie],
    ['one', undefined],
    ['one', cookie.replace(/=\d+/, '=9999999999999')],
    ['one', cookie.replace('__Host-', '')],
  ] as const)
    expect(changes.isValid(tab, cookies)).toBe(false);
  now = 1_800_001;
  expect(changes.isValid('one', cookie)).toBe(false);
});

it('issues no cookie for a page without a log-in form', () => {
  expect(new EmailChangeCookies('a key of the tests alone', site).issue('<p>Sorry</p>')).toBeUndefined();
});

it('identifies the log-in by the address of its form, not by other content of the page', () => {
  const changes = new EmailChangeCookies('a key of the tests alone', site);
  const [cookie = ''] =
    changes.issue(`<body data-account="x?tab_id=two"><a href="/?tab_id=two">${page}`)?.split(';') ?? [];
  expect([changes.isValid('one', cookie), changes.isValid('two', cookie)]).toEqual([true, false]);
});
