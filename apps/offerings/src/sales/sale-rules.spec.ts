import { saleLimits } from '@stoa/contracts';
import { describe, expect, test } from '@jest/globals';
import { isReplaceable, toSale, useOf } from './sale-rules.ts';

const at = (time: string) => new Date(`2026-11-${time}.000Z`);
const now = at('20T12:00:00');
const sale = {
  id: '00000000-0000-4000-8000-000000000001',
  creatorId: '00000000-0000-4000-8000-000000000002',
  offeringId: '00000000-0000-4000-8000-000000000003',
  source: 'creator',
  provider: 'Stripe',
  transactionId: 'pi_1',
  keyHash: 'a'.repeat(64),
  state: 'paid',
  createdAt: at('01T12:00:00'),
  keySince: at('10T12:00:00'),
  keySalt: 'b'.repeat(43),
  uses: 0,
  lastUsedAt: null as Date | null,
  downloads: null as number | null,
  days: null as number | null,
};
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const used = { uses: 3, downloads: 3 };

describe('a use of a key', () => {
  test.each([
    ['without limits counts', {}, 'counts'],
    ['below the limit of uses counts', { uses: 2, downloads: 3 }, 'counts'],
    ['beyond the limit of uses is refused', { ...used, lastUsedAt: minutesAgo(60) }, 'refused'],
    ['soon after a counted use is the same use', { uses: 1, lastUsedAt: minutesAgo(1) }, 'again'],
    ['soon after the last allowed use is the same use', { ...used, lastUsedAt: minutesAgo(1) }, 'again'],
    ['later counts again', { uses: 1, lastUsedAt: minutesAgo(saleLimits.saleUseMinutes) }, 'counts'],
    ['within the days counts', { days: 11 }, 'counts'],
    ['after the days is refused', { days: 10 }, 'refused'],
    ['after the days is refused soon after a use too', { days: 10, lastUsedAt: minutesAgo(1) }, 'refused'],
  ])('%s', (_, changes, use) => expect(useOf({ ...sale, ...changes }, now)).toBe(use));

  test.each(['refunded', 'disputed', 'revoked', 'of a newer release'])(
    'of a sale that is %s is refused',
    (state) => {
      expect(useOf({ ...sale, state }, now)).toBe('refused');
      expect(useOf({ ...sale, state, lastUsedAt: minutesAgo(1) }, now)).toBe('refused');
    },
  );
});

test('a sale can get a new key while it is paid or disputed', () => {
  const states = ['paid', 'disputed', 'refunded', 'revoked', 'of a newer release'];
  expect(states.filter((state) => isReplaceable({ state }))).toEqual(['paid', 'disputed']);
});

test('a sale shows its creator neither the key nor its hash', () => {
  const shown = toSale({ ...sale, state: 'of a newer release', lastUsedAt: minutesAgo(1) });
  expect(shown).toMatchObject({ state: 'revoked', createdAt: '2026-11-01T12:00:00.000Z' });
  for (const secret of [sale.keyHash, sale.keySalt]) expect(JSON.stringify(shown)).not.toContain(secret);
});
