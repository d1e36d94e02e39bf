import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { foldVersionMark, parseSearch, searchText, titleOf, titleText } from './search-text.ts';

test('wildcards of LIKE are escaped', () => {
  expect(parseSearch('100%_\\').words).toEqual([['%100\\%\\_\\\\%']]);
});

test('the search text has a line for each field and each form of the username', () => {
  const text = searchText({
    ...{ displayName: 'Ama', username: 'ama_writes', bio: 'Poems (and proše)', niches: ['Poet', 'Coach'] },
  });
  expect(text).toBe(
    `${foldVersionMark} ama\n poems (and prose)\n poet coach\n and\n ama_writes\n ama writes\n amawrites`,
  );
});

test('a title can be restored from the text of any release', () => {
  expect(titleText('Lettres d’été (PDF)')).toBe(`${foldVersionMark} lettres dete (pdf)\n ete pdf`);
  expect(titleOf(titleText('Lettres d’été (PDF)'))).toBe('lettres dete (pdf)');
  expect(titleText(titleOf(" lettres d'ete ß (pdf)\n ete\n pdf"))).toBe(titleText('Lettres d’été ß (PDF)'));
});

test.each([
  ['É', [['% e%']], true],
  ['ab', [['% ab%']], true],
  ['abc', [['%abc%']], true],
  ['山', [['% 山%']], true],
  ['c++', [['% c++%']], true],
  ['🎨', [['%🎨%']], false],
  ['!!!', [['%!!!%']], false],
  ['de la 🎨🎨🎨🎨', [['%🎨🎨🎨🎨%'], ['% de%'], ['% la%']], true],
  ['de 🎨', [['% de%'], ['%🎨%']], true],
  ['haddad el', [['%haddad%'], ['% el%']], true],
  ['e-book', [['% e book%', '%ebook%']], true],
  ['kitchen-table', [['%kitchen%'], ['%table%']], true],
  ['’', [], false],
] as const)('searches for %s as %j', (query, words, isIndexed) => {
  expect(parseSearch(query)).toEqual({ words, isIndexed });
});

interface Case {
  name?: string;
  username?: string;
  title?: string;
  finds: string[];
  not?: string[];
}
const file = new URL('../../test/cases/searches.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

test.each(cases)('$name $username $title matches its searches only [creators-1]', (one) => {
  const { name = '', username = '', title = '', finds, not = [] } = one;
  const lines = `${searchText({ displayName: name, username, bio: '', niches: [] })}\u001f${titleText(title)}`;
  // Compares as LIKE does in the database.
  const isLike = (pattern: string) => lines.includes(pattern.slice(1, -1).replace(/\\(.)/g, '$1'));
  const matches = (search: string) => parseSearch(search).words.every((forms) => forms.some(isLike));
  expect(finds.filter((search) => !matches(search))).toEqual([]);
  expect(not.filter(matches)).toEqual([]);
});
