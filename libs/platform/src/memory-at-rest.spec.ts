import { expect, test } from '@jest/globals';
import { releaseMemory } from './memory-at-rest.ts';

const megabyte = 1024 * 1024;

/** How large the heap is with a million records in it, of which nothing is kept. */
function fillHeap(): number {
  const records = Array.from({ length: 1_000_000 }, (_, id) => ({ id, next: { id } }));
  expect(records).toHaveLength(1_000_000);
  return process.memoryUsage().heapTotal;
}

test('memory that is no longer used is given back', async () => {
  const full = fillHeap();
  await releaseMemory();
  expect((full - process.memoryUsage().heapTotal) / megabyte).toBeGreaterThan(40);
});
