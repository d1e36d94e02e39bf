import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import type { Task } from '../progress.ts';
import { cached } from './cache.ts';
import { installLocked } from './locked-packages.ts';

const locked = inRepository('apps/e2e/lighthouse');

/** Fetches Lighthouse, whose eighty packages only measurements need. Returns the path of its module. */
export async function lighthouseModule(task: Task): Promise<string> {
  const lock = createHash('sha256').update(readFileSync(join(locked, 'package-lock.json')));
  const folder = await cached(`lighthouse-${lock.digest('hex').slice(0, 12)}`, task, async (target) => {
    await installLocked('Lighthouse', { locked, target, task });
  });
  return join(folder, 'node_modules/lighthouse/core/index.js');
}
