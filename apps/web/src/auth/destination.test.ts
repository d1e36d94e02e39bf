import { expect, test } from '@jest/globals';
import { rememberIntent, rememberReturnPath } from '../browser/sign-in-storage.ts';
import { destinationAfterSignIn } from './destination.ts';

test('a record made by this sign-in is a sign-up, whatever the visitor set out to do', () => {
  rememberIntent('login');
  expect(destinationAfterSignIn({ isNew: true })).toBe('/create-profile');
});

test('a record that was there is a login, also after the sign-up link', () => {
  rememberIntent('signup');
  expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard');
});

test.each([
  ['signup', '/create-profile'],
  ['login', '/dashboard'],
] as const)('without an answer of the server the way to %s leads to %s', (intent, place) => {
  rememberIntent(intent);
  expect(destinationAfterSignIn(undefined)).toBe(place);
});

test('the place where the guard stood is returned to, once', () => {
  rememberReturnPath('/dashboard/add-offering?from=mail');
  expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard/add-offering?from=mail');
  expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard');
});

test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
  'never leaves the site: %s',
  (place) => {
    rememberReturnPath(place);
    expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard');
  },
);
