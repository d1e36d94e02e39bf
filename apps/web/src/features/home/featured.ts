import type { Niche } from '@stoa/contracts';

export interface FeaturedCreator {
  name: string;
  niches: readonly [Niche, ...Niche[]];
  tagline: string;
}

/** The sample list of the home page. The profile of the first one exists: seeding creates it. */
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

export const hasNiche = ({ niches }: FeaturedCreator, filter: HomeFilter) =>
  filter === 'All' || niches.includes(filter);
