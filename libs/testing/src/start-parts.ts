import { startParts } from '@stoa/stack';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Vitest's global setup: Postgres and MinIO for this run, unless the run was handed its parts. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['STOA_TEST_PARTS']) return undefined;
  const parts = await startParts({ only: ['postgres', 'minio'] });
  const file = join(parts.dir, 'parts.json');
  await writeFile(file, JSON.stringify(parts), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
  return () => parts.stop();
}
