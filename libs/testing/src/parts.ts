import type { PartsDescription } from '@stoa/system';
import { readFileSync } from 'node:fs';

/**
 * The real parts that this test run shares.
 *
 * @throws Error outside a run that started them: see `start-parts.ts`.
 */
export function testParts(): PartsDescription {
  const file = process.env['STOA_TEST_PARTS'];
  if (!file) throw new Error('STOA_TEST_PARTS names no file: run `npm test` or the nx target `contract`.');
  return JSON.parse(readFileSync(file, 'utf8')) as PartsDescription;
}
