import { startParts } from '@stoa/system';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Puts versitygw in the place of the object store that `testParts` describes, for this test file. Answers how to end it. */
export async function useVersitygw(): Promise<() => Promise<void>> {
  const parts = await startParts({ only: ['minio'], store: 'versitygw' });
  const file = join(parts.dir, 'parts.json');
  await writeFile(file, JSON.stringify(parts), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
  return () => parts.stop();
}
