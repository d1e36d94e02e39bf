import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';

/**
 * Reads until the result is `wanted`. It fails if a read that began more than `ms` after this call had another result. On a
 * busy machine a read may end long after the state that it returns.
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
