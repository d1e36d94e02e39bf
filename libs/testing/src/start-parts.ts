import { type PartName, type PartsDescription, startParts, stopAfterTests } from '@stoa/system';
import { runningDevelopment } from '@stoa/system/testing/development-system';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { natsPlaces } from './nats.ts';

/** Jest's global setup: starts NATS, Postgres and MinIO, unless the environment names running parts. */
export default function setup(): Promise<void> {
  return shareParts(['postgres', 'minio']);
}

/**
 * Starts these parts and NATS for the run. If the environment or `npm run dev` provides the parts, it starts only NATS,
 * because the apps there listen to all events. Tests with Keycloak never use that of `npm run dev`, because its identity
 * service follows all accounts.
 */
export async function shareParts(only: readonly PartName[]): Promise<void> {
  const handed =
    process.env['STOA_TEST_PARTS'] ?? (only.includes('keycloak') ? undefined : runningDevelopment());
  const parts = await startParts({ only: handed ? ['nats'] : [...only, 'nats'], natsPlaces });
  stopAfterTests(() => parts.stop());
  const others = handed ? (JSON.parse(await readFile(handed, 'utf8')) as PartsDescription) : parts;
  const placesFolder = join(parts.dir, 'nats-places');
  await mkdir(placesFolder);
  const file = join(parts.dir, 'parts.json');
  await writeFile(file, JSON.stringify({ ...others, nats: parts.nats, placesFolder }), { mode: 0o600 });
  process.env['STOA_TEST_PARTS'] = file;
}
