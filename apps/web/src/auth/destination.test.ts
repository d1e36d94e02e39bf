import { expect, test } from '@jest/globals';
import { rememberIntent, rememberReturnPath } from '../browser/sign-in-notes.ts';
import { destinationAfterSignIn } from './destination.ts';

test('a new record makes it a sign-up, whatever the intent', () => {
  rememberIntent('login');
  expect(destinationAfterSignIn({ isNew: true })).toBe('/create-profile');
});

test('an existing record makes it a log-in, even after the sign-up link', () => {
  rememberIntent('signup');
  expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard');
});

test.each([
  ['signup', '/create-profile'],
  ['login', '/dashboard'],
] as const)('without an answer of the server, the intent %s leads to %s', (intent, place) => {
  rememberIntent(intent);
  expect(destinationAfterSignIn(undefined)).toBe(place);
});

test('the return path of the guard is used once [web-3]', () => {
  rememberReturnPath('/dashboard/add-offering?from=mail');
  expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard/add-offering?from=mail');
  expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard');
});

test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
  'refuses an open redirect: %s',
  (place) => {
    rememberReturnPath(place);
    expect(destinationAfterSignIn({ isNew: false })).toBe('/dashboard');
  },
);
