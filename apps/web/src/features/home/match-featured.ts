import { matchesSearch, searchLines, searchWords } from '@stoa/contracts/search-text';
import { type FeaturedCreator, featuredCreators, hasNiche, type HomeFilter } from './featured.ts';

// In its own file, since the text comparison exceeds the page's size limit.

/** Compares like the server's search of all creators, except that each word may match anywhere. */
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
