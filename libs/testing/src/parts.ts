import type { PartsDescription } from '@stoa/system';
import { readFileSync } from 'node:fs';

/** The addresses and credentials of the run's parts for a test file. */
export interface TestParts extends PartsDescription {
  /** Contains a folder for each taken NATS account. */
  readonly placesFolder: string;
}

/**
 * The real parts that all test files of the run share.
 *
 * @throws Error outside a run that has started the parts (`start-parts.ts`).
 */
export function testParts(): TestParts {
  const file = process.env['STOA_TEST_PARTS'];
  if (!file) throw new Error('STOA_TEST_PARTS names no file: run `npm test` or the nx target `contract`.');
  return JSON.parse(readFileSync(file, 'utf8')) as TestParts;
}
