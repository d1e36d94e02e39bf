/**
 * The longest waits in milliseconds. The gateway gives up on a page 50 ms earlier, and on a read early enough for a
 * retry at another gateway.
 */
export const longestWaitMs = { page: 250, read: 2000, write: 5000 };
export type AnswerKind = keyof typeof longestWaitMs;
