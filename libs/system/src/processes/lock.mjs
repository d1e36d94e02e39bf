import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.mjs';

/** @typedef {{ pid: number, startTime: string | undefined }} Owner */

/**
 * Takes a lock file, or returns its owner. A lock whose owner has ended counts as free.
 * @param {string} path
 * @returns {Owner | undefined} undefined if the lock was taken
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, JSON.stringify(identityOf()));
  try {
    for (;;) {
      try {
        linkSync(mine, path);
        return undefined;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
      const owner = readOwner(path);
      if (owner && isAlive(owner)) return owner;
      discardStale(path, owner);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Waits for a lock file and takes it. Returns a function that releases it.
 * @param {string} path
 * @param {(owner: Owner) => void} [onWait] called once if another process holds the lock
 * @returns {Promise<() => void>}
 */
export async function lock(path, onWait) {
  let notified = false;
  for (;;) {
    const owner = tryLock(path);
    if (!owner) return () => unlock(path);
    if (!notified) onWait?.(owner);
    notified = true;
    await sleep(200);
  }
}

/** @param {string} path */
export function unlock(path) {
  if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
}

/**
 * @param {string} path
 * @returns {Owner | undefined}
 */
export function readOwner(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Renames a stale lock before deleting it: two processes that find it must not delete each other's new lock.
 * @param {string} path
 * @param {Owner | undefined} stale
 */
function discardStale(path, stale) {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readOwner(aside)?.startTime !== stale?.startTime) {
    try {
      linkSync(aside, path);
    } catch {
      // Another process has taken the lock in between, and keeps it.
    }
  }
  rmSync(aside, { force: true });
}
