import { expect, test } from '@jest/globals';
import { secondFactorOf } from './second-factors.ts';

const createdDate = Date.parse('2026-11-22T09:30:00.000Z');
const made = (type: string) => secondFactorOf({ id: '1', type, userLabel: 'Phone', createdDate });

test('every second factor that Stoa offers is listed, and no password [identity-3]', () => {
  expect(made('otp')).toEqual({
    ...{ id: '1', kind: 'authenticator', name: 'Phone', addedAt: '2026-11-22T09:30:00.000Z' },
  });
  expect([made('webauthn')?.kind, made('recovery-authn-codes')?.kind]).toEqual(['passkey', 'recovery_codes']);
  expect(made('password')).toBeUndefined();
});

test('a second factor of unknown age is listed without a date', () => {
  const unknown = { id: '1', type: 'otp', userLabel: '', createdDate: Number.MAX_SAFE_INTEGER };
  expect(secondFactorOf(unknown)).toMatchObject({ addedAt: null });
});
