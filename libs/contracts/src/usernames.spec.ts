import { expect, test } from '@jest/globals';
import { paths, patterns } from './pages.ts';
import { previewPaths, previewPatterns, roomPaths } from './preview-pages.ts';
import { usernameRefusal } from './usernames.ts';

const all = [paths, patterns, previewPaths, previewPatterns, roomPaths].flatMap((some) =>
  Object.values(some),
) as (string | ((...parts: string[]) => string))[];
const addresses = all.map((path) => (typeof path === 'string' ? path : path('a', 'b', 'c')));

test('all words in the paths of pages are reserved usernames', () => {
  const words = addresses
    .flatMap((address) => address.split(/[/#.]/))
    .filter((word) => /^[a-z-]{3,}$/.test(word));
  expect(words).toEqual(expect.arrayContaining(['undo-change', 'review', 'profile', 'dashboard']));
  const given = new Set(['silent', 'html', 'key']);
  expect(words.filter((word) => !given.has(word) && usernameRefusal(word) !== 'reserved')).toEqual([]);
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
])('the path word %s is reserved', (word) => expect(usernameRefusal(word)).toBe('reserved'));
