import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lock } from '../processes/lock.mjs';
import { cacheFolder } from '../paths.ts';
import { type Task } from '../progress.ts';

/** The folder of a part in the cache, whether it is there yet or not. */
export const cachedPath = (key: string): string => join(cacheFolder, 'parts', key);

/**
 * The folder of a fetched part. `make` fills a temporary folder, which takes its place in one step, so that a
 * part is there whole or not at all; a second fetcher waits for the first one.
 */
export async function cached(
  key: string,
  task: Task,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const path = cachedPath(key);
  if (existsSync(path)) return path;
  const unlock = await lock(`${path}.lock`, ({ pid }) =>
    task.update(`waiting for process ${pid}, which fetches it`),
  );
  try {
    if (existsSync(path)) return path;
    mkdirSync(join(cacheFolder, 'tmp'), { recursive: true });
    const folder = mkdtempSync(join(cacheFolder, 'tmp', `${key}-`));
    try {
      await make(folder);
      renameSync(folder, path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return path;
  } finally {
    unlock();
  }
}
