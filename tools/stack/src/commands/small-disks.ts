import { inRepository, run } from '@stoa/system';
import { usesDocker } from '@stoa/system/parts/chosen-parts';
import { Problem } from '@stoa/system/problem';
import { CommandFailed } from '@stoa/system/processes/run';
import { chosenStore } from '@stoa/system/settings/store';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The variable with the folder in which the command mounts its disks. */
const variable = 'STOA_SMALL_DISKS';

const ownMounts = ['--mount', '--propagation', 'private'];

/** Enough for a drill's data and for the free space that the store requires. */
const size = '2g';

/** The reason why this machine cannot have small disks; undefined if it can. */
export async function reasonForNoSmallDisks(): Promise<string | undefined> {
  if (await usesDocker()) return 'in containers the parts keep their data in volumes, not on disks of ours';
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can mount small disks';
  if (spawnSync('unshare', [...ownMounts, 'mount', '-t', 'tmpfs', 'stoa', tmpdir()]).status !== 0)
    return 'this machine does not let unshare and mount make small disks';
  return undefined;
}

/**
 * Runs one of our commands in a mount namespace of its own: other processes do not see its mounts, which
 * disappear with its last process.
 */
export async function inOwnMountNamespace(command: readonly string[]): Promise<number> {
  const missing = await reasonForNoSmallDisks();
  if (missing) throw new Problem(`Small disks are not available: ${missing}.`);
  const folder = mkdtempSync(join(tmpdir(), 'stoa-disks-'));
  const own = [process.execPath, inRepository('tools/stack/bin/stoa.mjs'), ...command];
  try {
    await run('unshare', [...ownMounts, ...own], {
      env: { ...process.env, [variable]: folder },
      onLine: (line) => console.log(line),
    });
    return 0;
  } catch (error) {
    // Returns without a message, because the failed command has already printed its errors.
    if (error instanceof CommandFailed) return 1;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Within a mount namespace of its own: mounts a small disk for each part with data and returns their folder.
 * Otherwise returns undefined. Postgres uses the disk on which the others are mounted.
 */
export async function mountSmallDisks(): Promise<string | undefined> {
  const folder = process.env[variable];
  if (!folder) return undefined;
  // Opens the folder to the user of Postgres.
  chmodSync(folder, 0o711);
  for (const name of ['data', 'data/nats', join('data', chosenStore())]) {
    const disk = join(folder, name);
    mkdirSync(disk);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=711`, 'stoa', disk]);
  }
  return folder;
}
