// Plain JavaScript: the command line runs this on Node 20, before anything is installed.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lock } from '../processes/lock.mjs';

/**
 * Fills a folder of the cache once. `fill` gets a temporary folder that is renamed when it is complete, so
 * the folder exists completely or not at all. A concurrent caller waits for the first one.
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
