import { expect, it } from '@jest/globals';
import { ResponsePadding } from './response-padding.ts';

/** A clock that advances only by calls of `pause` and `work`. As some timers do, `pause` ends a millisecond early. */
function fakeTime(random: (ms: number) => number) {
  let now = 1000;
  return {
    work: (ms: number) => (now += ms),
    clock: { now: () => now, pause: async (ms: number) => (now += Math.max(0.5, ms - 1)), random },
  };
}

async function answeredAfter(workMs: number, random: (ms: number) => number = () => 0): Promise<number> {
  const { work, clock } = fakeTime(random);
  const hold = new ResponsePadding(500, clock);
  const begun = hold.begin();
  work(workMs);
  await hold.until(begun);
  return clock.now() - begun;
}

it('answers after the same time for any work shorter than a step [edge-4]', async () => {
  const times = await Promise.all([0, 9, 160, 499, 500].map((ms) => answeredAfter(ms)));
  for (const time of times) expect(Math.abs(time - 500)).toBeLessThan(1);
});

it('rounds up to the next step when the work takes longer', async () => {
  expect(await answeredAfter(501)).toBeGreaterThanOrEqual(1000);
  expect(await answeredAfter(1301)).toBeGreaterThanOrEqual(1500);
});

it('adds random jitter', async () => {
  expect(await answeredAfter(9, (most) => most)).toBeCloseTo(600, -1);
  expect(await answeredAfter(9, (most) => most / 2)).toBeCloseTo(550, -1);
});
