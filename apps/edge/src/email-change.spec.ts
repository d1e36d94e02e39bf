import { expect, it } from '@jest/globals';
import { EmailChanges } from './email-change.ts';

const site = new URL('https://accounts.stoa.test');
const page = '<form action="/login-actions/authenticate?session_code=s&amp;tab_id=one">';

it('lets the log-in change the e-mail that was begun for it, for half an hour', () => {
  let now = 0;
  const changes = new EmailChanges('a key of the tests alone', site, () => now);
  const [cookie = ''] = changes.begin(page)?.split(';') ?? [];
  expect(cookie).toMatch(/^__Host-stoa-email-change=/);
  expect(changes.includes('one', `a=b; ${cookie}`)).toBe(true);
  for (const [tab, cookies] of [
    ['two', cookie],
    [null, cookie],
    ['one', undefined],
    ['one', cookie.replace(/=\d+/, '=9999999999999')],
    ['one', cookie.replace('__Host-', '')],
  ] as const)
    expect(changes.includes(tab, cookies)).toBe(false);
  now = 1_800_001;
  expect(changes.includes('one', cookie)).toBe(false);
});

it('sees no log-in in another page', () => {
  expect(new EmailChanges('a key of the tests alone', site).begin('<p>Sorry</p>')).toBeUndefined();
});
