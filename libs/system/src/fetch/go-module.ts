import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/run.ts';
import type { Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { optimized } from './go-programs.ts';

/**
 * A folder whose go.mod names programs in `tool` lines. go.mod pins their versions, go.sum the digests of all
 * sources.
 */
export interface GoModule {
  readonly folder: string;
  /** Prefix of the folder in the cache. */
  readonly name: string;
  /** Text that is shown during the build, such as the time or memory that the build takes. */
  readonly cost: string;
  /** Number of packages that are compiled concurrently; by default one per core. */
  readonly parallel?: number;
  /** Other inputs of the result, part of the cache key. */
  readonly beside?: string;
  /** Adds files to the folder of the built programs before it is moved into the cache. */
  readonly complete?: (programs: string, task: Task) => Promise<void>;
}

/** The folder of the programs in the cache; it may not exist yet. A change of any pin changes the folder. */
export const goModulePath = (module: GoModule): string => cachedPath(keyOf(module));

/** Builds the programs once for all checkouts of this user and returns their folder. */
export async function buildGoModule(module: GoModule, task: Task): Promise<string> {
  const { folder, cost, parallel, complete } = module;
  return cached(keyOf(module), task, async (target) => {
    task.update(`building with Go; this takes ${cost}`);
    const bound = parallel === undefined ? [] : ['-p', String(parallel)];
    const flags = [...bound, ...optimized.flags, '-mod=readonly', '-o', `${target}/`];
    await run('go', ['build', ...flags, 'tool'], { cwd: folder, env: { ...process.env, ...optimized.env } });
    await complete?.(target, task);
  });
}

function keyOf({ folder, name, beside = '' }: GoModule): string {
  const pinned = createHash('sha256').update(beside);
  for (const file of ['go.mod', 'go.sum']) pinned.update(readFileSync(join(folder, file)));
  return `${name}-${pinned.digest('hex').slice(0, 12)}`;
}
