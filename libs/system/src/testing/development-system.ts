import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stateFolder } from '../paths.ts';
import { identityOf, isAlive } from '../processes/process-identity.mjs';
import type { PartsDescription } from '../settings/parts-description.ts';
import type { ControlAddress } from './control-server.ts';

/** What `npm run dev` writes about the system that it runs, and the process that ends it. */
type Description = PartsDescription & { control: ControlAddress; process: ReturnType<typeof identityOf> };

const developmentFile = join(stateFolder, 'dev.json');

/** Writes down where the parts of `npm run dev` are; the answer removes that again. */
export function describeDevelopment(
  system: PartsDescription & { control: ControlAddress },
  file = developmentFile,
): () => void {
  const description: Description = { ...system, process: identityOf() };
  writeFileSync(file, JSON.stringify(description), { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** The file that describes the running `npm run dev` of this checkout; undefined where none runs. */
export function runningDevelopment(file = developmentFile): string | undefined {
  try {
    const { process } = JSON.parse(readFileSync(file, 'utf8')) as Description;
    return isAlive(process) ? file : undefined;
  } catch {
    return undefined;
  }
}
