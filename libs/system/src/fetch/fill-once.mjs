// Plain JavaScript: the command line begins to fetch parts on Node 20, before anything is installed.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lock } from '../processes/lock.mjs';

/**
 * Has a folder of the cache filled once: `fill` is given a temporary folder, which takes its place in one step, so that it
 * is there whole or not at all; a second one who fills it waits for the first.
 * @param {string} cache
 * @param {string} key
 * @param {(folder: string) => Promise<void>} fill
 * @param {(owner: { pid: number }) => void} [onWait]
 * @returns {Promise<string>}
 */
export async function fillOnce(cache, key, fill, onWait) {
  const path = join(cache, 'parts', key);
  if (existsSync(path)) return path;
  const unlock = await lock(`${path}.lock`, onWait);
  try {
    if (existsSync(path)) return path;
    mkdirSync(join(cache, 'tmp'), { recursive: true });
    const folder = mkdtempSync(join(cache, 'tmp', `${basename(path)}-`));
    try {
      await fill(folder);
      renameSync(folder, path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    return path;
  } finally {
    unlock();
  }
}
