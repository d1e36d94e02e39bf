import { expect, it } from '@jest/globals';
import { accountOfForm, withUnknownAccount, loginNamesOfTokens } from './posted-form.ts';

it.each([
  ['username=Ada%40Stoa.test&password=x', 'ada@stoa.test'],
  ['username=%01%20ada%0b&password=x', 'ada'],
  ['password=x&user%6eame=ada&username=bob', 'ada'],
  // A fullwidth letter makes another account for Keycloak, so it must not count for this one.
  ['username=%EF%BD%81da', '\uff41da'],
])('%s names one account', (form, account) => expect(accountOfForm(Buffer.from(form))).toBe(account));

it.each([
  [undefined],
  [Buffer.from('')],
  [Buffer.from('username=')],
  [Buffer.from('otp=123456')],
  ['username=ada'],
])('%s names none', (body) => expect(accountOfForm(body)).toBeUndefined());

const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
it.each([
  [{ access_token: token({ preferred_username: 'ada', email: 'Ada@Stoa.test' }) }, ['ada', 'ada@stoa.test']],
  [{ access_token: token({ preferred_username: 'ada', email: 7 }) }, ['ada']],
  [{ access_token: 'no token' }, []],
  [{ error: 'invalid_grant' }, []],
])('%j is for who may be named %j', (answer, names) => {
  expect(loginNamesOfTokens(Buffer.from(JSON.stringify(answer)))).toEqual(names);
});

it('replaces the account by an unknown one and keeps the other fields', () => {
  const form = new URLSearchParams(withUnknownAccount(Buffer.from('a=1&username=ada&b=%2B')).toString());
  expect(Object.fromEntries(form)).toEqual({ a: '1', username: 'nobody@stoa.invalid', b: '+' });
});
