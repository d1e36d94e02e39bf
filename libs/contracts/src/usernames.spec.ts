import { expect, test } from '@jest/globals';
import { paths, patterns } from './pages.ts';
import { previewPaths, previewPatterns } from './preview-pages.ts';
import { ruledOut } from './usernames.ts';

const all = [paths, patterns, previewPaths, previewPatterns].flatMap((some) => Object.values(some)) as (
  string | ((...parts: string[]) => string)
)[];
const addresses = all.map((path) => (typeof path === 'string' ? path : path('a', 'b', 'c')));

test('every word of the addresses of pages is reserved as a username', () => {
  const words = addresses
    .flatMap((address) => address.split(/[/#.]/))
    .filter((word) => /^[a-z-]{3,}$/.test(word));
  expect(words).toEqual(expect.arrayContaining(['undo-change', 'review', 'profile', 'dashboard']));
  const given = new Set(['silent', 'html', 'key']);
  expect(words.filter((word) => !given.has(word) && ruledOut(word) !== 'reserved')).toEqual([]);
});

test.each([
  'review',
  'embed',
  'oembed',
  'feed',
  'card',
  'sitemap',
  'robots',
  'undo-change',
  'well-known',
  'event',
])('%s is the word of an address, and reserved', (word) => expect(ruledOut(word)).toBe('reserved'));
