import { useVersitygw } from '@stoa/testing';
import { afterAll, describe } from '@jest/globals';

// What this service asks of an object store, and what it keeps from strangers, on the other store that can be chosen.
const end = await useVersitygw();
const { s3Tests } = await import('./s3.tests.ts');
const { forgedWritesTests } = await import('./forged-writes.tests.ts');

describe('versitygw', () => {
  afterAll(end);
  s3Tests();
  forgedWritesTests();
});
