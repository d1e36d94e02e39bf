import { existsSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { run } from '../processes/run.ts';
import type { Task } from '../progress.ts';

/** A program of a Debian package. */
export interface Program {
  readonly name: string;
  readonly packages: readonly string[];
}

/** Whether this user can install Debian packages without a password. */
export const canInstallPackages = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Installs programs that only Debian packages, one after the other. Limits the wait for a package server or
 * for another run of apt.
 *
 * @throws Problem with the command for root if this user may not install packages.
 */
export async function installPackages(task: Task, programs: readonly Program[]): Promise<void> {
  const packages = programs.flatMap((program) => program.packages);
  if (packages.length === 0) return;
  if (!canInstallPackages())
    throw new Problem(
      `Only root can install them: sudo apt-get install --no-install-recommends ${packages.join(' ')}`,
    );
  task.update('reading the list of packages');
  // Ignores a failed update: an outdated package list may be enough.
  await apt(task, 120, 'update').catch(() => undefined);
  for (const { name, packages: wanted } of programs) {
    task.update(`installing ${name}`);
    await apt(task, 300, 'install', '--yes', '--no-install-recommends', ...wanted);
  }
}

async function apt(task: Task, seconds: number, ...args: readonly string[]): Promise<void> {
  const bounds = ['Acquire::http::Timeout=30', 'Acquire::Retries=2', 'DPkg::Lock::Timeout=60'];
  const options = bounds.flatMap((bound) => ['-o', bound]);
  let fetched = 0;
  await run('timeout', [`${seconds}`, 'apt-get', '--quiet', ...options, ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    onLine: (line) => {
      const [, doing, name] = /^(Get:|Unpacking|Setting up) ?(\S+)/.exec(line) ?? [];
      if (doing === 'Get:') fetched += 1;
      if (doing === 'Get:' && fetched % 20 === 0) task.update(`${fetched} packages fetched`);
      else if (doing === 'Unpacking' && name && args.includes(name)) task.update(`unpacking ${name}`);
    },
  });
}
