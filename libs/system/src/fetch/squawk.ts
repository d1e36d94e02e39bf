import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import type { Task } from '../progress.ts';
import { pythonEnvironment } from './python-environment.ts';

const requirements = inRepository('tools/prisma/squawk/requirements.txt');

/**
 * Installs Squawk, the linter of migrations, from PyPI: its npm package downloads the program with a script.
 */
export async function squawk(task: Task): Promise<string> {
  return join(
    await pythonEnvironment({ name: 'squawk', requirements, neededFor: 'linting migrations' }, task),
    'squawk',
  );
}
