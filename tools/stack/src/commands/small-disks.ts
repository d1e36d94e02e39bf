import { inRepository, run } from '@stoa/system';
import { usesDocker } from '@stoa/system/parts/docker';
import { Problem } from '@stoa/system/problem';
import { CommandFailed } from '@stoa/system/processes/run';
import { chosenStore } from '@stoa/system/settings/store';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder to the command that mounts its disks there. */
const variable = 'STOA_SMALL_DISKS';

const ownMounts = ['--mount', '--propagation', 'private'];

/** Room for what a drill writes, and for what the store wants free before it takes anything. */
const size = '2g';

/** Why small disks cannot be had on this machine; undefined where they can. */
export async function noSmallDisks(): Promise<string | undefined> {
  if (await usesDocker()) return 'in containers the parts keep their data in volumes, not on disks of ours';
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can mount small disks';
  if (spawnSync('unshare', [...ownMounts, 'mount', '-t', 'tmpfs', 'stoa', tmpdir()]).status !== 0)
    return 'this machine does not let unshare and mount make small disks';
  return undefined;
}

/**
 * Runs a command of ours again in a mount namespace of its own: what it mounts is seen by nobody else, and goes with the
 * last process that it has started.
 */
export async function inOwnMounts(command: readonly string[]): Promise<number> {
  const missing = await noSmallDisks();
  if (missing) throw new Problem(`There are no small disks to fill: ${missing}.`);
  const folder = mkdtempSync(join(tmpdir(), 'stoa-disks-'));
  const own = [process.execPath, inRepository('tools/stack/bin/stoa.mjs'), ...command];
  try {
    await run('unshare', [...ownMounts, ...own], {
      env: { ...process.env, [variable]: folder },
      onLine: (line) => console.log(line),
    });
    return 0;
  } catch (error) {
    // What went wrong was told line by line.
    if (error instanceof CommandFailed) return 1;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The folder for a system with a small disk for each part that keeps something, once this runs in mounts of its own;
 * undefined before. Postgres has the disk on which the others' are mounted.
 */
export async function mountSmallDisks(): Promise<string | undefined> {
  const folder = process.env[variable];
  if (!folder) return undefined;
  // Postgres runs as another user, who has to get past it.
  chmodSync(folder, 0o711);
  for (const name of ['data', 'data/nats', join('data', chosenStore())]) {
    const disk = join(folder, name);
    mkdirSync(disk);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'stoa', disk]);
  }
  return folder;
}
