import { join } from 'node:path';
import { inRepository } from '../paths.ts';
import type { Task } from '../progress.ts';
import { pythonEnvironment } from './python-environment.ts';

const requirements = inRepository('apps/e2e/fuzz/requirements.txt');

/** Installs Schemathesis, the fuzzer of the HTTP API, and returns the path of its Python. */
export async function schemathesis(task: Task): Promise<string> {
  const tool = { name: 'schemathesis', requirements, neededFor: 'fuzzing the API' };
  return join(await pythonEnvironment(tool, task), 'python');
}
