import { type PartName, startParts } from '@stoa/stack';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Vitest's global setup: Postgres and MinIO for this run, unless the run was handed its parts. */
export default function setup(): Promise<(() => Promise<void>) | undefined> {
  return shareParts(['postgres', 'minio']);
}

/** Starts these parts for the run, unless it was handed its parts, and answers how to stop them. */
export async function shareParts(only: readonly PartName[]): Promise<(() => Promise<void>) | undefined> {
  if (process.env['STOA_TEST_PARTS']) return undefined;
  const parts = await startParts({ only });
  const file = join(parts.dir, 'parts.json');
  await writeFile(file, JSON.stringify(parts), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
  return () => parts.stop();
}
