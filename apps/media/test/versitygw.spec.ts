import { useVersitygw } from '@stoa/testing';
import { afterAll, describe, it } from 'vitest';

// What this service asks of an object store, and what it keeps from strangers, on the other store that can be chosen.
const end = await useVersitygw();

if (end) {
  afterAll(end);
  describe('versitygw', async () => {
    await import('./s3.spec.ts');
    await import('./forged-writes.spec.ts');
  });
} else {
  it.skip('needs versitygw, or Go to build it', () => undefined);
}
