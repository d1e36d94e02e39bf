import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { freeSlug, slugBase } from './slug.ts';

const { cases } = JSON.parse(readFileSync(new URL('../../cases/slugs.json', import.meta.url), 'utf8')) as {
  cases: { titles: string[]; right: string[] }[];
};
const given = cases.flatMap(({ titles, right }) =>
  titles.map((title, place) => [title, right[place] ?? ''] as const),
);

it.each([
  ...given,
  ['Letters to a young painter', 'letters-to-a-young-painter'],
  ['  Café & Crème: Ñandú!  ', 'cafe-creme-nandu'],
  ['Søren’s Straße', 'sorens-strasse'],
  ['Łódź, Ísafjörður, Ævi', 'lodz-isafjordur-aevi'],
  ['ＦＵＬＬ ① ﬁg', 'full-1-fig'],
  ['🙂', 'offering'],
  ['🙂👍🏽 👩‍👩‍👧 🇿🇦', 'offering'],
  ['Book 🙂', 'book'],
  ['-—-', 'offering'],
  ['e\u0301te\u0301', 'ete'],
  ['Ποιήματα της άνοιξης', 'poiimata-tis-anoixis'],
  ['كتاب الطبخ', 'ktb-ltbkh'],
  ['שירים בעברית', 'syrym-vvryt'],
  ['हिन्दी कविताएँ', 'hindi-kvitaem'],
  ['ไทย บทกวี', 'aithy-bthkwi'],
  ['한국어 수업', 'hangugeo-sueob'],
  ['中文书法课程', 'zhong-wen-shu-fa-ke-cheng'],
  ['日本語の本', 'ri-ben-yu-no-ben'],
  ['O’Brien’s ʻokina', 'obriens-okina'],
  ['本'.repeat(120), Array(15).fill('ben').join('-')],
  ['x'.repeat(120), 'x'.repeat(60)],
  [`${'x'.repeat(59)} yy`, 'x'.repeat(59)],
])('%s gives %s [offerings-1]', (title, base) => {
  expect(slugBase(title)).toBe(base);
});

it('a number makes a slug unique, and different from the contact page and from an id', () => {
  expect(freeSlug('twin', new Set())).toBe('twin');
  expect(freeSlug('twin', new Set(['twin', 'twin-2']))).toBe('twin-3');
  expect(freeSlug('contact', new Set())).toBe('contact-2');
  const id = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
  expect(freeSlug(id, new Set())).toBe(`${id}-2`);
});
