import { buildGoModule, type GoModule, goModulePath, plainReporter } from '@stoa/system';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const module: GoModule = {
  folder: join(import.meta.dirname, '../programs'),
  name: 'promtool',
  cost: 'some minutes',
};

/** The path of promtool, from `npm run stoa build-program promtool` or PATH; undefined if it is missing. */
export function findPromtool(): string | undefined {
  const built = join(goModulePath(module), 'promtool');
  if (existsSync(built)) return built;
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return 'promtool';
  } catch {
    return undefined;
  }
}

/** Builds promtool from its pinned source. */
export async function buildPromtool(): Promise<void> {
  const task = plainReporter((line) => console.log(line)).task('promtool', 'checking the cache');
  await buildGoModule(module, task);
  task.done();
}
