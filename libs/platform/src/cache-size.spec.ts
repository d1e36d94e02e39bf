import { expect, test } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { maxEntries } from './cache-size.ts';

test('a large cache allocates nothing in advance, and evicts the least recently used entry', () => {
  const cache = new LRUCache<string, number>(maxEntries(3));
  // With `max` the cache would reserve memory for all entries at the start.
  expect(cache.max).toBe(0);
  for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value);
  cache.get('a');
  cache.set('a', 9);
  cache.set('d', 4);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
  expect(cache.get('a')).toBe(9);
});
