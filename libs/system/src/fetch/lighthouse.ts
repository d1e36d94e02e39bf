import { createHash } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import { Problem } from '../problem.ts';
import { CommandFailed, run } from '../processes/run.ts';
import type { Task } from '../progress.ts';
import { cached } from './cache.ts';
import { lastLine } from './go-programs.ts';

const locked = inRepository('apps/e2e/lighthouse');

/** Lighthouse's module, installed by a lock of its own: eighty packages that nobody needs who does not measure. */
export async function lighthouseModule(task: Task): Promise<string> {
  const lock = createHash('sha256').update(readFileSync(join(locked, 'package-lock.json')));
  const folder = await cached(`lighthouse-${lock.digest('hex').slice(0, 12)}`, task, async (target) => {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(locked, name), join(target, name));
    task.update('fetching it with npm');
    try {
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: target });
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      throw new Problem(
        `Lighthouse could not be installed with npm (${lastLine(error.output)}): check the network, then run the same command again.`,
      );
    }
  });
  return join(folder, 'node_modules/lighthouse/core/index.js');
}
