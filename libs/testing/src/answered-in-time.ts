import { setTimeout as pause } from 'node:timers/promises';

/** Asks something once, and settles when it is answered. */
export type Ask = () => Promise<unknown>;

/**
 * Whether `enough` of at most `rounds` calls are answered before somebody who sets out `limitMs` later, and asks for what waits
 * for nothing, has been answered too. Both wait for a machine that is busy, so that what is compared is how long the call
 * waits for anything else: one that waits for longer than the limit is late in every round, where a busy machine lets some
 * be late.
 *
 * @param control What waits for nothing, of the same process as the call, and as much work as it when it stops waiting.
 * @throws What the call throws, or the control.
 */
export async function isAnsweredInTime(
  call: Ask,
  control: Ask,
  { limitMs, rounds, enough }: { readonly limitMs: number; readonly rounds: number; readonly enough: number },
): Promise<boolean> {
  let inTime = 0;
  for (let round = 0; round < rounds && inTime < enough; round += 1)
    if (await isInTime(call, control, limitMs)) inTime += 1;
  return inTime >= enough;
}

async function isInTime(call: Ask, control: Ask, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const answered = call().then(() => true);
  const late = pause(limitMs, undefined, { signal: timer.signal })
    .then(control)
    .then(() => false);
  // It is broken off where nobody needs it.
  late.catch(() => undefined);
  const first = await Promise.race([answered, late]);
  timer.abort();
  // The next round asks nothing while this one is under way.
  await answered;
  return first;
}
