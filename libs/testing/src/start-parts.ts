import { startParts } from '@stoa/stack';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest's global setup: Postgres and MinIO for this run, unless the run was handed its parts. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['STOA_TEST_PARTS']) return undefined;
  const dir = await mkdtemp(join(tmpdir(), 'stoa-test-'));
  const parts = await startParts({ dir, ports: 'free', only: ['postgres', 'minio'] });
  const file = join(dir, 'parts.json');
  await writeFile(file, JSON.stringify(parts), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
  return async () => {
    await parts.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
