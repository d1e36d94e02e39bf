import { matchesSearch, searchLines, searchWords } from '@stoa/contracts/search-text';
import { type FeaturedCreator, featuredCreators, hasNiche, type HomeFilter } from './featured.ts';

// Apart from the list: how texts are compared weighs more than the page has room for.

/** Compares as the server's search of all creators does, but that each word is looked for anywhere. */
export function matchFeatured(
  search: string,
  filter: HomeFilter,
  among: readonly FeaturedCreator[] = featuredCreators,
): readonly FeaturedCreator[] {
  const words = searchWords(search);
  return among.filter(
    (creator) =>
      hasNiche(creator, filter) && matchesSearch(searchLines([creator.name, creator.tagline]), words),
  );
}
