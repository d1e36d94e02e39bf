import { existsSync } from 'node:fs';
import type { Task } from '../progress.ts';
import { installPackages } from './debian-packages.ts';

/** wrk, which loads a server with a tenth of the processor time that Node takes for it: Debian's, where it is installed. */
export const wrk = (): string | undefined => (existsSync('/usr/bin/wrk') ? '/usr/bin/wrk' : undefined);

/** Installs wrk where it is not here. */
export const installWrk = (task: Task): Promise<void> =>
  installPackages(task, wrk() ? [] : [{ name: 'wrk', packages: ['wrk'] }]);
