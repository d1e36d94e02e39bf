import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive } from './process-identity.mjs';

/** @typedef {{ pid: number, startTime: string | undefined }} Owner */

/**
 * Takes a lock file, or answers who holds it. A lock whose owner is gone counts as free.
 * @param {string} path
 * @returns {Owner | undefined} undefined when the lock is ours now
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
 * Waits until the lock is ours and answers how to give it back.
 * @param {string} path
 * @param {(owner: Owner) => void} [onWait] told once when somebody else holds it
 * @returns {Promise<() => void>}
 */
export async function lock(path, onWait) {
  let told = false;
  for (;;) {
    const owner = tryLock(path);
    if (!owner) return () => unlock(path);
    if (!told) onWait?.(owner);
    told = true;
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
 * Moved aside before it is deleted: two that find the same stale lock must not delete each other's new one.
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
      // Somebody took the lock in between; then it is theirs.
    }
  }
  rmSync(aside, { force: true });
}
