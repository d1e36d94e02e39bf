import { migrateAll, startParts, stopAfterTests } from '@stoa/system';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Starts migrated parts for this run, unless STOA_TEST_PARTS describes some. */
export default async function setup(): Promise<void> {
  if (process.env['STOA_TEST_PARTS']) return;
  const parts = await startParts({ only: ['postgres', 'nats', 'minio'] });
  stopAfterTests(() => parts.stop());
  await migrateAll(parts);
  const file = join(parts.dir, 'parts.json');
  writeFileSync(file, JSON.stringify(parts), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
}
