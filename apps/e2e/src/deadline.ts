import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';

/**
 * Reads until it finds `wanted`, and fails where a read that began more than `ms` after this call still found something
 * else. On a busy machine a read may end much later than the state that it found.
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
  expect(lastOther, 'milliseconds until the last read that found something else began').toBeLessThan(ms);
}
