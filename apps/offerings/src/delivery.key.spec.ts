import { DeliveryKey } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { newDeliveryKey, opens } from './delivery.key.ts';

test('keys are long, fit into a URL and never repeat', () => {
  const keys = Array.from({ length: 1000 }, newDeliveryKey);
  expect(new Set(keys).size).toBe(1000);
  for (const key of keys) {
    expect(DeliveryKey.safeParse(key).success).toBe(true);
    expect(Buffer.from(key, 'base64url').length * 8).toBeGreaterThanOrEqual(128);
    expect(encodeURIComponent(key)).toBe(key);
  }
});

test('only the key itself opens', () => {
  const key = newDeliveryKey();
  expect(opens(key, key)).toBe(true);
  for (const wrong of ['', key.slice(1), `${key}a`, key.toUpperCase() + 'x', newDeliveryKey(), '\ud800']) {
    expect(opens(wrong, key)).toBe(false);
  }
});
