import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../paths.ts';
import { identityOf, isAlive } from '../processes/process-identity.mjs';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { ControlAddress } from './control-server.ts';

/** The description of a running system that `npm run dev` writes, with its process. */
type Description = PartsDescription & { control: ControlAddress; process: ReturnType<typeof identityOf> };

const developmentFile = join(stateFolder, 'dev.json');

/** Writes the description of the system of `npm run dev`. Returns a function that removes it. */
export function describeDevelopment(
  system: PartsDescription & { control: ControlAddress },
  file = developmentFile,
): () => void {
  const description: Description = { ...system, process: identityOf() };
  writeFileSync(file, JSON.stringify(description), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The path of the description if `npm run dev` of this checkout is running, otherwise undefined. */
export function runningDevelopment(file = developmentFile): string | undefined {
  try {
    const { process } = JSON.parse(readFileSync(file, 'utf8')) as Description;
    return isAlive(process) ? file : undefined;
  } catch {
    return undefined;
  }
}
