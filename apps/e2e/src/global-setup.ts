import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSystem } from '@stoa/system';
import { installChromium } from './install-chromium.ts';

/** Starts the whole system for this run, unless STOA_TEST_PARTS names a running one. */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  const log = (line: string) => console.error(line);
  await installChromium(log);
  if (process.env.STOA_TEST_PARTS) return undefined;
  const system = await startSystem({ log });
  const file = join(system.dir, 'parts.json');
  writeFileSync(file, JSON.stringify(system), { mode: 0o600 });
  process.env.STOA_TEST_PARTS = file;
  return () => system.stop();
}
