import { type PartName, startParts, stopAfterTests } from '@stoa/system';
import { runningDevelopment } from '@stoa/system/testing/development-system';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Jest's global setup: Postgres and MinIO for this run, unless the run was handed its parts. */
export default function setup(): Promise<void> {
  return shareParts(['postgres', 'minio']);
}

/**
 * Starts these parts for the run, unless it was handed its parts, or `npm run dev` has them: each test file has its own
 * database and NATS there. A run that needs Keycloak has its own, since the identity service follows every account.
 */
export async function shareParts(only: readonly PartName[]): Promise<void> {
  if (process.env['STOA_TEST_PARTS']) return;
  const development = only.includes('keycloak') ? undefined : runningDevelopment();
  if (development && process.env['STOA_TEST_PARTS'] === undefined) {
    process.env['STOA_TEST_PARTS'] = development;
    return;
  }
  const parts = await startParts({ only });
  stopAfterTests(() => parts.stop());
  const file = join(parts.dir, 'parts.json');
  await writeFile(file, JSON.stringify(parts), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
}
