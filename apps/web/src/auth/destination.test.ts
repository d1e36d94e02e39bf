import type { Creator } from '@stoa/contracts';
import { expect, test } from 'vitest';
import { rememberIntent, rememberPlace } from './browser-memory.ts';
import { destinationAfterSignIn } from './destination.ts';

const authenticatedAt = Date.parse('2026-11-21T12:00:00Z') / 1000;
const bornAt = (time: string) => ({ createdAt: `2026-11-21T${time}Z` }) as Creator;

test('a record made by this sign-in is a sign-up, whatever the visitor set out to do', () => {
  rememberIntent('login');
  expect(destinationAfterSignIn(bornAt('12:00:00.500'), authenticatedAt)).toBe('/create-profile');
});

test('an older record is a login, also after the sign-up link', () => {
  rememberIntent('signup');
  expect(destinationAfterSignIn(bornAt('11:50:00'), authenticatedAt)).toBe('/dashboard');
});

test('logging in again within a minute of signing up is a login', () => {
  rememberIntent('login');
  expect(destinationAfterSignIn(bornAt('11:59:30'), authenticatedAt)).toBe('/dashboard');
});

test('clocks that disagree do not turn a sign-up into a login', () => {
  rememberIntent('signup');
  expect(destinationAfterSignIn(bornAt('11:59:30'), authenticatedAt)).toBe('/create-profile');
});

test('the place where the guard stood is returned to, once', () => {
  rememberPlace('/dashboard/add-offering?from=mail');
  expect(destinationAfterSignIn(bornAt('10:00:00'), authenticatedAt)).toBe(
    '/dashboard/add-offering?from=mail',
  );
  expect(destinationAfterSignIn(bornAt('10:00:00'), authenticatedAt)).toBe('/dashboard');
});

test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
  'never leaves the site: %s',
  (place) => {
    rememberPlace(place);
    expect(destinationAfterSignIn(bornAt('10:00:00'), authenticatedAt)).toBe('/dashboard');
  },
);
