import { DeliveryKey } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { newDeliveryKey, keyMatches } from './delivery-key.ts';

test('keys are long, URL-safe and unique', () => {
  const keys = Array.from({ length: 1000 }, newDeliveryKey);
  expect(new Set(keys).size).toBe(1000);
  for (const key of keys) {
    expect(DeliveryKey.safeParse(key).success).toBe(true);
    expect(Buffer.from(key, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
    expect(encodeURIComponent(key)).toBe(key);
  }
});

test('matches only the key itself', () => {
  const key = newDeliveryKey();
  expect(keyMatches(key, key)).toBe(true);
  for (const wrong of ['', key.slice(1), `${key}a`, key.toUpperCase() + 'x', newDeliveryKey(), '\ud800']) {
    expect(keyMatches(wrong, key)).toBe(false);
  }
});
