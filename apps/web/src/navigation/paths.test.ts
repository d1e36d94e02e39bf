import { expect, test } from '@jest/globals';
import { moveKeyToFragment, deliveryKeyOf, paths } from './paths.ts';

const address = '/download/7c1f/9a2e';
const key = 'Ab_9-'.repeat(6);
const keyIn = (link: string) => deliveryKeyOf(new URL(link, location.origin));

test('a delivery link has its key in the fragment, which no request sends', () => {
  const { search, hash } = new URL(paths.delivery('7c1f', '9a2e', key), location.origin);
  expect([search, hash]).toEqual(['', `#key=${key}`]);
  expect(keyIn(paths.delivery('7c1f', '9a2e', key))).toBe(key);
});

test.each([
  `#key=${key}?session_id=cs_1`,
  `#key=${key}&payment=1&key=other`,
  `#key=${key}/`,
  `#paid&key=${key}`,
  `?session_id=cs_1&utm_source=pay#key=${key}`,
  `?key=${key}?session_id=cs_1`,
  `?token=1&key=${key}&x=%20`,
])('the key is found among parameters of a payment provider: %s', (added) => {
  expect(keyIn(address + added)).toBe(key);
});

test.each(['', '#', '#main', '?key=', '#key=', `?monkey=${key}`, `#/${key}`])('%j has no key', (part) => {
  expect(keyIn(address + part)).toBeUndefined();
});

test.each([
  [`${address}?key=${key}`, `${address}#key=${key}`],
  [`${address}?session_id=1&key=${key}&b=2`, `${address}#key=${key}`],
  [`${address}?key=${key}#paid`, `${address}#key=${key}`],
  [`${address}?a=1#key=${key}`, `${address}?a=1#key=${key}`],
  [`${address}?key=`, `${address}?key=`],
  [`/browse-creators?key=${key}`, `/browse-creators?key=${key}`],
])('%s becomes %s, without a new history entry', (link, shown) => {
  history.replaceState({ idx: 3 }, '', link);
  const { length } = history;
  moveKeyToFragment();
  expect(location.href).toBe(location.origin + shown);
  expect(history.length).toBe(length);
  expect(history.state).toEqual({ idx: 3 });
});
