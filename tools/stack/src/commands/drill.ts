import { Problem } from '@stoa/system/problem';
import { scriptCommand } from './script.ts';
import { withSystem } from './with-system.ts';

/** Runs a drill on a system of its own, never on anybody's data. */
export async function drill(name: string | undefined): Promise<number> {
  if (name !== 'restore') throw new Problem('Name the drill, as in "npm run stoa drill restore".');
  return withSystem([...scriptCommand('@stoa/e2e', 'restore-drill')]);
}
