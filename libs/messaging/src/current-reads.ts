import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<boolean>();

/**
 * Runs work whose reads must, or need not, include every earlier write. Requests sent by it carry this in a header,
 * so services read from the primary database instead of a replica, which may lag.
 */
export function withCurrentReads<T>(isNeeded: boolean, work: () => T): T {
  return current.run(isNeeded, work);
}

/** Whether reads of the running work must include every earlier write. */
export function readsCurrent(): boolean {
  return current.getStore() ?? false;
}
