import { expect, test } from '@jest/globals';
import { releaseMemory } from './memory-at-rest.ts';

const megabyte = 1024 * 1024;

/** Fills the heap with a million records, drops them, and returns the size of the heap in bytes. */
function fillHeap(): number {
  const records = Array.from({ length: 1_000_000 }, (_, id) => ({ id, next: { id } }));
  expect(records).toHaveLength(1_000_000);
  return process.memoryUsage().heapTotal;
}

test('unused memory is returned', async () => {
  const full = fillHeap();
  await releaseMemory();
  expect((full - process.memoryUsage().heapTotal) / megabyte).toBeGreaterThan(40);
});
