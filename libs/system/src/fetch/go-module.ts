import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../processes/run.ts';
import type { Task } from '../progress.ts';
import { cached, cachedPath } from './cache.ts';
import { optimized } from './go-programs.ts';

/** The programs that the `tool` lines of a go.mod name: it pins them, and go.sum every source they are made of. */
export interface GoModule {
  /** Folder of go.mod and go.sum. */
  readonly folder: string;
  /** How the cache calls the result. */
  readonly name: string;
  /** What the task says that it waits for, such as the time or memory it takes. */
  readonly cost: string;
  /** Packages compiled at once; as many as there are cores unless told. */
  readonly parallel?: number;
  /** What else the result is made of. */
  readonly beside?: string;
  /** Completes the folder of the built programs, before it takes its place in the cache. */
  readonly complete?: (programs: string, task: Task) => Promise<void>;
}

/** The folder of the programs in the cache, built or not: another one as soon as anything that is pinned changes. */
export const goModulePath = (module: GoModule): string => cachedPath(keyOf(module));

/** Builds the programs, once for all checkouts of this user; answers their folder. */
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
