import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '../progress.ts';
import { cached } from './cache.ts';
import { runFetch } from './run-fetch.ts';
import { requireVersion } from './versions.ts';

export interface PythonTool {
  readonly name: string;
  /** The file with the pins of all packages; nothing else is installed. */
  readonly requirements: string;
  readonly neededFor: string;
}

/**
 * Installs a Python tool into a virtual environment and returns the folder of its programs. A change of any
 * pin changes the folder.
 */
export async function pythonEnvironment(
  { name, requirements, neededFor }: PythonTool,
  task: Task,
): Promise<string> {
  const pins = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12);
  const folder = await cached(`${name}-${pins}`, task, async (target) => {
    await requireVersion({
      command: 'python3',
      args: ['--version'],
      pattern: /Python (\d+\.\d+)/,
      oldest: '3.10',
      name: 'Python',
      install: 'install Python 3.10 or newer with venv and pip (Debian: apt install python3-venv)',
      neededFor,
    });
    task.update(`fetching ${name} with pip`);
    const failure = {
      failed: `${name} could not be installed with pip`,
      advice: 'check python3-venv and the network, then run the same command again.',
    };
    // The environment must not contain symbolic links, because the folder is renamed when it is complete.
    await runFetch('python3', ['-m', 'venv', join(target, 'venv')], failure);
    const python = join(target, 'venv/bin/python');
    const quietly = ['--quiet', '--disable-pip-version-check', '--no-input'];
    const install = ['-m', 'pip', 'install', ...quietly, '--no-deps', '--requirement', requirements];
    await runFetch(python, install, failure);
  });
  return join(folder, 'venv/bin');
}
