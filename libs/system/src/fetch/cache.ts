import { join } from 'node:path';
import { cacheFolder } from '../paths.ts';
import { type Task } from '../progress.ts';
import { fillOnce } from './fill-once.mjs';

/** The folder of a fetched part in the cache; it may not exist yet. */
export const cachedPath = (key: string): string => join(cacheFolder, 'parts', key);

/** Returns the folder of a fetched part. If it is missing, `make` fills it. */
export const cached = (key: string, task: Task, make: (folder: string) => Promise<void>): Promise<string> =>
  fillOnce(cacheFolder, key, make, ({ pid }) => task.update(waitingFor(pid)));

// The command line starts to build some parts while it installs npm packages, so a second process waits for
// it.
const waitingFor = (pid: number) =>
  pid === process.pid
    ? 'still being built, since this command began (a few minutes the first time)'
    : `waiting for process ${pid}, which fetches it`;
