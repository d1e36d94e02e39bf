import { expect, test } from '@jest/globals';
import { type FeaturedCreator, featuredCreators } from './featured.ts';
import { matchFeatured } from './match-featured.ts';

const some: readonly FeaturedCreator[] = [
  { name: 'José Niño', niches: ['Writer'], tagline: '100% letters, snake_case and all.' },
  { name: 'Ana Lopes', niches: ['Artist'], tagline: 'Crème brûlée on paper.' },
];
const found = (search: string) => matchFeatured(search, 'All', some).map(({ name }) => name);

test.each([
  ['José', 'José Niño'],
  ['jose', 'José Niño'],
  ['JOSE\u0301', 'José Niño'],
  ['  jose   nino ', 'José Niño'],
  ['CREME BRULEE', 'Ana Lopes'],
  ['Lópes', 'Ana Lopes'],
  ['%', 'José Niño'],
  ['_', 'José Niño'],
  ['nino jose', 'José Niño'],
  ['letters nino', 'José Niño'],
  ['paper, crème', 'Ana Lopes'],
] as const)('%s finds only %s', (search, name) => {
  expect(found(search)).toEqual([name]);
});

test.each(['j%e', 'j_se', '%%', '\\', 'nino brulee'])(
  '%s is matched literally and finds no creator',
  (search) => {
    expect(found(search)).toEqual([]);
  },
);

test('an empty search finds every creator of the chosen niche', () => {
  expect(matchFeatured(' ', 'All')).toEqual(featuredCreators);
  expect(matchFeatured('', 'Artist', some).map(({ name }) => name)).toEqual(['Ana Lopes']);
});

test.each([
  ['linnea sorberg', 'Linnea Sørberg'],
  ['SØRBERG LINNEA', 'Linnea Sørberg'],
  ['kitchen table', 'Linnea Sørberg'],
  ['kitchen\u2011table', 'Linnea Sørberg'],
  ['oud night', 'Elias Haddad'],
  ['rivers memory', 'Amara Okafor'],
])('%s finds %s in the sample list', (search, name) => {
  expect(matchFeatured(search, 'All').map((creator) => creator.name)).toEqual([name]);
});
