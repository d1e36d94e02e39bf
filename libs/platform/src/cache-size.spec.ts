import { expect, test } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { maxEntries } from './cache-size.ts';

test('a cache with room for many takes none before they come, and forgets the one that was quiet for longest', () => {
  const cache = new LRUCache<string, number>(maxEntries(3));
  // What it reserves for `max` entries it would say here.
  expect(cache.max).toBe(0);
  for (const [value, key] of ['a', 'b', 'c'].entries()) cache.set(key, value);
  cache.get('a');
  cache.set('a', 9);
  cache.set('d', 4);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
  expect(cache.get('a')).toBe(9);
});
