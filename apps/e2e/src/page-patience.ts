import { type Ask, isAnsweredInTime } from '@stoa/testing/answered-in-time';

/** Settings of a gateway as in production: what the tests allow a busy machine would be seen in its answers. */
export const patience = { PAGE_PATIENCE_MS: '200', READ_TIMEOUT_MS: '1500' };

/** What nobody waits longer for; the gateway gives up on a page 50 ms before. */
export const longestWaitMs = { page: 250, read: 2000, write: 5000 };
export type WaitedFor = keyof typeof longestWaitMs;

/** Half of them, and few of what may take seconds: a machine that is busy lets some be late. */
const counts: Record<WaitedFor, { readonly rounds: number; readonly enough: number }> = {
  page: { rounds: 20, enough: 10 },
  read: { rounds: 6, enough: 3 },
  write: { rounds: 4, enough: 2 },
};

/**
 * What waits too long, by its name: too few of its calls are answered before somebody who sets out when their time is
 * over, for a page of the same gateway that needs nobody. All are asked side by side.
 *
 * @param still Asks for that page, which is not kept: the frame of one that there is not.
 * @throws What a call throws.
 */
export async function waitTooLong(
  kind: WaitedFor,
  calls: Readonly<Record<string, Ask>>,
  still: Ask,
): Promise<string[]> {
  const limitMs = longestWaitMs[kind];
  const late = Object.entries(calls).map(async ([name, call]) =>
    (await isAnsweredInTime(call, still, { ...counts[kind], limitMs })) ? [] : [name],
  );
  return (await Promise.all(late)).flat();
}
