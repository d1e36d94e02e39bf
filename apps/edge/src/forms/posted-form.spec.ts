import { expect, it } from '@jest/globals';
import { accountOfForm, ownerOfTokens, withUnknownAccount } from './posted-form.ts';

it.each([
  ['username=Ada%40Stoa.test&password=x', 'ada@stoa.test'],
  ['username=%01%20ada%0b&password=x', 'ada'],
  ['password=x&user%6eame=ada&username=bob', 'ada'],
  // Keycloak treats a fullwidth letter as another letter, so the attempt must count for another account.
  ['username=%EF%BD%81da', '\uff41da'],
])('%s names one account', (form, account) => expect(accountOfForm(Buffer.from(form))).toBe(account));

it.each([
  [undefined],
  [Buffer.from('')],
  [Buffer.from('username=')],
  [Buffer.from('otp=123456')],
  ['username=ada'],
])('%s names no account', (body) => expect(accountOfForm(body)).toBeUndefined());

const token = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
it.each([
  [{ preferred_username: 'ada', email: 'Ada@Stoa.test' }, { names: ['ada', 'ada@stoa.test'] }],
  [
    { preferred_username: 'ada', email: 'Ada@Stoa.test', email_verified: true },
    { names: ['ada', 'ada@stoa.test'], provedAddress: 'ada@stoa.test' },
  ],
  [
    { preferred_username: 'ada', email: 'ada@stoa.test', email_verified: 'true' },
    { names: ['ada', 'ada@stoa.test'] },
  ],
  [{ preferred_username: 'ada', email: 7, email_verified: true }, { names: ['ada'] }],
])('a token with %j belongs to %j', (claims, owner) => {
  expect(ownerOfTokens(Buffer.from(JSON.stringify({ access_token: token(claims) })))).toEqual(owner);
});

it.each([[{ access_token: 'no token' }], [{ error: 'invalid_grant' }]])('%j names no account', (answer) => {
  expect(ownerOfTokens(Buffer.from(JSON.stringify(answer)))).toEqual({ names: [] });
});

it('replaces the account with an unknown one and keeps the other fields', () => {
  const form = new URLSearchParams(withUnknownAccount(Buffer.from('a=1&username=ada&b=%2B')).toString());
  expect(Object.fromEntries(form)).toEqual({ a: '1', username: 'nobody@stoa.invalid', b: '+' });
});
