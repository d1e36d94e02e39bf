import { useVersitygw } from '@stoa/testing';
import { afterAll, describe, expect, it } from 'vitest';

// What this service asks of an object store, and what it keeps from strangers, on the other store that can be chosen.
const end = await useVersitygw();

it.skipIf(!end)('versitygw is there, or Go to build it with', () => {
  expect(end).toBeDefined();
});

if (end) {
  afterAll(end);
  describe('versitygw', async () => {
    await import('./s3.spec.ts');
    await import('./forged-writes.spec.ts');
  });
}
