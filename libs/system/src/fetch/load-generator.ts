import { existsSync } from 'node:fs';
import type { Task } from '../progress.ts';
import { installPackages } from './debian-packages.ts';

/**
 * The path of Debian's wrk if it is installed. It needs a tenth of the processor time of a Node load
 * generator.
 */
export const wrk = (): string | undefined => (existsSync('/usr/bin/wrk') ? '/usr/bin/wrk' : undefined);

/** Installs wrk if it is missing. */
export const installWrk = (task: Task): Promise<void> =>
  installPackages(task, wrk() ? [] : [{ name: 'wrk', packages: ['wrk'] }]);
