import { startParts } from '@stoa/system';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testParts } from './parts.ts';

/** Starts versitygw and makes it the object store of `testParts` for this test file. Returns the function that stops it. */
export async function useVersitygw(): Promise<() => Promise<void>> {
  const { dir, minio, stop } = await startParts({ only: ['minio'], store: 'versitygw' });
  const file = join(dir, 'parts.json');
  await writeFile(file, JSON.stringify({ ...testParts(), minio }), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
  return stop;
}
