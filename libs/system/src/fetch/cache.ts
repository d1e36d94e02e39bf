import { join } from 'node:path';
import { cacheFolder } from '../paths.ts';
import { type Task } from '../progress.ts';
import { fillOnce } from './fill-once.mjs';

/** The folder of a part in the cache, whether it is there yet or not. */
export const cachedPath = (key: string): string => join(cacheFolder, 'parts', key);

/** The folder of a fetched part, which `make` fills when it is not there yet. */
export const cached = (key: string, task: Task, make: (folder: string) => Promise<void>): Promise<string> =>
  fillOnce(cacheFolder, key, make, ({ pid }) => task.update(waitingFor(pid)));

// The command line begins to build some parts while the npm packages are installed.
const waitingFor = (pid: number) =>
  pid === process.pid
    ? 'still being built, since this command began (a few minutes the first time)'
    : `waiting for process ${pid}, which fetches it`;
