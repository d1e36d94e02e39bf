import { expect, test } from '@jest/globals';
import { ErasedAccount } from './erasure.ts';

test('counts of kinds that only a newer release knows are ignored', () => {
  const uid = '00000000-0000-4000-8000-000000000001';
  const counts = { offerings: 2, subscriptions: 3 };
  expect(ErasedAccount.parse({ uid, counts })).toEqual({ uid, counts: { offerings: 2 } });
});
