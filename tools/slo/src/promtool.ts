import { cached, cachedPath, plainReporter, run } from '@stoa/stack';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const module = join(import.meta.dirname, '../programs');
const pinned = createHash('sha256');
for (const file of ['go.mod', 'go.sum']) pinned.update(readFileSync(join(module, file)));
const key = `promtool-${pinned.digest('hex').slice(0, 12)}`;

/** Prometheus' own checker: built by `npm run slo:build`, or the machine's; undefined where there is none. */
export function findPromtool(): string | undefined {
  const built = join(cachedPath(key), 'promtool');
  if (existsSync(built)) return built;
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return 'promtool';
  } catch {
    return undefined;
  }
}

/** Builds promtool from its pinned source, once for all checkouts of this user. */
export async function buildPromtool(): Promise<void> {
  const task = plainReporter((line) => console.log(line)).task('promtool', 'looking');
  await cached(key, task, async (target) => {
    task.update('building with Go; this takes some minutes');
    const flags = ['-trimpath', '-ldflags=-s -w', '-mod=readonly', '-o', `${target}/`];
    await run('go', ['build', ...flags, 'tool'], { cwd: module, env: { ...process.env, CGO_ENABLED: '0' } });
  });
  task.done();
}
