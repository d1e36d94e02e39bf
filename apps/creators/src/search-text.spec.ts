import { matchesSearch, searchWords } from '@stoa/contracts';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { foldedMark, searchFor, searchText, titleOf, titleText } from './search-text.ts';

test('wildcards of LIKE are escaped', () => {
  expect(searchFor('100%_\\').words).toEqual([['%100\\%\\_\\\\%']]);
});

test('the search text has a line for each field, for the niches and for each form of the username', () => {
  const text = searchText({
    ...{ displayName: 'Ama', username: 'ama_writes', bio: 'Poems (and proše)', niches: ['Poet', 'Coach'] },
  });
  expect(text).toBe(
    `${foldedMark} ama\n poems (and prose)\n poet coach\n and\n ama_writes\n ama writes\n amawrites`,
  );
});

test('a title is read again from the text that any release made of it', () => {
  expect(titleText('Lettres d’été (PDF)')).toBe(`${foldedMark} lettres dete (pdf)\n ete pdf`);
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
  expect(searchFor(query)).toEqual({ words, isIndexed });
});

interface Case {
  name?: string;
  username?: string;
  title?: string;
  finds: string[];
  not?: string[];
}
const file = new URL('../test/cases/searches.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: Case[] };

test.each(cases)('$name $username $title is found by these searches alone', (one) => {
  const { name = '', username = '', title = '', finds, not = [] } = one;
  const lines = `${searchText({ displayName: name, username, bio: '', niches: [] })}\u001f${titleText(title)}`;
  const matches = (search: string) => matchesSearch(lines, searchWords(search));
  expect(finds.filter((search) => !matches(search))).toEqual([]);
  expect(not.filter(matches)).toEqual([]);
});
