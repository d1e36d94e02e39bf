import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../progress.ts';
import { runFetch } from './run-fetch.ts';

/** Installs npm packages into `target` from the lock in `locked`, for programs that few checkouts need. */
export async function installLocked(
  name: string,
  { locked, target, task }: { locked: string; target: string; task: Task },
): Promise<string> {
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(locked, file), join(target, file));
  task.update('fetching it with npm');
  await runFetch('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: target,
    failed: `${name} could not be installed with npm`,
    advice: 'check the network, then run the same command again.',
  });
  return join(target, 'node_modules');
}
