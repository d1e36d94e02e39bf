import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import type { Task } from '../progress.ts';
import { pythonEnvironment } from './python-environment.ts';

const requirements = inRepository('tools/prisma/squawk/requirements.txt');

/** The linter of migrations: its package on npm fetches a program by a script, the one on PyPI holds it. */
export async function squawk(task: Task): Promise<string> {
  return join(
    await pythonEnvironment({ name: 'squawk', requirements, neededFor: 'linting migrations' }, task),
    'squawk',
  );
}
