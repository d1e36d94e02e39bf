import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<boolean>();

/**
 * Runs work whose reads have to hold everything that was written before it began, or need not. The requests that it sends
 * say so, so a service reads from its primary database and not from a replica, which may lag.
 */
export function withCurrentReads<T>(isNeeded: boolean, work: () => T): T {
  return current.run(isNeeded, work);
}

/** Whether what is read now has to hold everything that was written before. */
export function readsCurrent(): boolean {
  return current.getStore() ?? false;
}
