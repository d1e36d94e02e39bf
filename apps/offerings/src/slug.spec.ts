import { expect, it } from '@jest/globals';
import { freeSlug, slugBase } from './slug.ts';

it.each([
  ['Letters to a young painter', 'letters-to-a-young-painter'],
  ['  Café & Crème: Ñandú!  ', 'cafe-creme-nandu'],
  ['Søren’s Straße', 'sorens-strasse'],
  ['Łódź, Ísafjörður, Ævi', 'lodz-isafjordur-aevi'],
  ['ＦＵＬＬ ① ﬁg', 'full-1-fig'],
  ['日本語', 'offering'],
  ['🙂', 'offering'],
  ['x'.repeat(120), 'x'.repeat(60)],
  [`${'x'.repeat(59)} yy`, 'x'.repeat(59)],
])('%s gives %s', (title, base) => {
  expect(slugBase(title)).toBe(base);
});

it('appends a number to a taken slug, and avoids the path of the contact page', () => {
  expect(freeSlug('twin', new Set())).toBe('twin');
  expect(freeSlug('twin', new Set(['twin', 'twin-2']))).toBe('twin-3');
  expect(freeSlug('contact', new Set())).toBe('contact-2');
});
