import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';

/**
 * Reads until the result is `wanted`. Fails if a read that began after `ms` milliseconds has another result. The begin
 * counts, because on a busy machine the answer may be late.
 */
export async function expectWithin<T>(ms: number, read: () => Promise<T>, wanted: T): Promise<void> {
  const since = performance.now();
  let lastOther = 0;
  const found = async () => {
    const began = performance.now() - since;
    const answer = await read();
    if (!isDeepStrictEqual(answer, wanted)) lastOther = began;
    return answer;
  };
  await expect.poll(found, { timeout: 60_000, intervals: [100] }).toEqual(wanted);
  expect(lastOther, 'milliseconds until the start of the last read with another result').toBeLessThan(ms);
}
