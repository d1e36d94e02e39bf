import type { Niche } from '@stoa/contracts';
import { foldText } from '@stoa/contracts/folded';

export interface FeaturedCreator {
  name: string;
  niches: readonly [Niche, ...Niche[]];
  tagline: string;
}

/** The sample list of the home page. The first one's profile is really there: seeding makes it. */
export const featuredCreators: readonly FeaturedCreator[] = [
  {
    name: 'Amara Okafor',
    niches: ['Writer', 'Poet'],
    tagline: 'Essays and poems about rivers, memory and starting over.',
  },
  {
    name: 'Linnea Sørberg',
    niches: ['Artist'],
    tagline: 'Linocuts and risographs from a kitchen-table press.',
  },
  { name: 'Mateo Quispe', niches: ['Healer'], tagline: 'Breathwork and slow mornings for tired people.' },
  {
    name: 'Priya Raman',
    niches: ['Coach', 'Writer'],
    tagline: 'Small, honest steps for people changing careers.',
  },
  { name: 'Elias Haddad', niches: ['Musician'], tagline: 'Oud pieces and night songs, recorded at home.' },
];

export const sampleUsername = 'amara-okafor';

export const homeFilters = ['All', 'Writer', 'Artist', 'Healer', 'Coach'] as const;
export type HomeFilter = (typeof homeFilters)[number];

/** Compares as the server's search of all creators does. */
export function matchFeatured(
  search: string,
  filter: HomeFilter,
  among: readonly FeaturedCreator[] = featuredCreators,
): readonly FeaturedCreator[] {
  const wanted = foldText(search);
  return among.filter(
    ({ name, tagline, niches }) =>
      (filter === 'All' || niches.includes(filter)) &&
      [name, tagline].some((text) => foldText(text).includes(wanted)),
  );
}
