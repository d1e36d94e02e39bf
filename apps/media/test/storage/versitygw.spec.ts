import { useVersitygw } from '@stoa/testing';
import { afterAll, describe } from '@jest/globals';

// Runs the tests with versitygw, the other supported object store.
const end = await useVersitygw();
const { s3Tests } = await import('./s3.tests.ts');
const { forgedWritesTests } = await import('./forged-writes.tests.ts');

describe('versitygw', () => {
  afterAll(end);
  s3Tests();
  forgedWritesTests();
});
