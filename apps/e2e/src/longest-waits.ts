/** What nobody waits longer for; the gateway gives up on a page 50 ms before, and on a read in time for another gateway to be asked. */
export const longestWaitMs = { page: 250, read: 2000, write: 5000 };
export type WaitedFor = keyof typeof longestWaitMs;
