import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';
import { FilterButtons, SearchField } from '../../ui/fields/filter.tsx';
import { ArrowIcon } from '../../ui/icons/icons.tsx';
import { NichePanel } from '../../ui/pictures/niche-art.tsx';
import { EmptyState } from '../../ui/notice.tsx';
import { Tags } from '../../ui/tag.tsx';
import {
  type FeaturedCreator,
  featuredCreators,
  hasNiche,
  type HomeFilter,
  homeFilters,
  sampleUsername,
} from './featured.ts';
import type { matchFeatured } from './match-featured.ts';

export function FeaturedCreators() {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<HomeFilter>('All');
  const found = useMatches(search, filter);

  return (
    <section
      id="featured"
      aria-labelledby="featured-title"
      tabIndex={-1}
      className="mx-auto max-w-6xl px-5 py-14 outline-none sm:px-8 sm:py-20"
    >
      <h2 id="featured-title" className="text-4xl">
        Featured creators
      </h2>
      <p className="text-muted mt-3 max-w-prose">
        A sample of the people a Stoa is made for. Every card opens our sample profile, so you can see what
        yours could look like.
      </p>
      <div className="mt-8 grid gap-4 lg:grid-cols-[1fr_auto] lg:items-center">
        <SearchField
          label="Search featured creators"
          placeholder="Search by name or tagline"
          value={search}
          onChange={setSearch}
        />
        <FilterButtons label="Filter by niche" options={homeFilters} value={filter} onChange={setFilter} />
      </div>
      <div className="mt-8">
        {found.length === 0 ? (
          <EmptyState title="No featured creators match your search." />
        ) : (
          <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-6">
            {found.map((creator, index) => (
              <li key={creator.name} className={index < 3 ? 'lg:col-span-2' : 'lg:col-span-3'}>
                <FeaturedCard creator={creator} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

/**
 * Loads the text comparison when the visitor types. Until it has loaded, or if that fails, only the niche
 * filters.
 */
function useMatches(search: string, filter: HomeFilter): readonly FeaturedCreator[] {
  const [match, setMatch] = useState<typeof matchFeatured>();
  useEffect(() => {
    if (search === '' || match) return;
    import('./match-featured.ts').then((loaded) => setMatch(() => loaded.matchFeatured), console.error);
  }, [search, match]);
  if (match) return match(search, filter);
  return featuredCreators.filter((creator) => hasNiche(creator, filter));
}

function FeaturedCard({ creator: { name, niches, tagline } }: { creator: FeaturedCreator }) {
  return (
    <article className="group bg-surface border-line shadow-card hover:shadow-lifted rounded-card relative flex h-full flex-col overflow-hidden border transition-shadow">
      <div className="h-44 overflow-hidden">
        <NichePanel niche={niches[0]} className="h-full w-full" />
      </div>
      <div className="flex flex-1 flex-col gap-3 p-6">
        <Tags names={niches} label="Niches" />
        <h3 className="text-2xl">{name}</h3>
        <p className="text-muted flex-1">{tagline}</p>
        <Link
          to={paths.profile(sampleUsername)}
          className="text-accent after:rounded-card inline-flex items-center gap-2 font-semibold after:absolute after:inset-0"
        >
          View Profile<span className="sr-only"> of {name}</span>
          <span className="transition-transform group-hover:translate-x-1">
            <ArrowIcon />
          </span>
        </Link>
      </div>
    </article>
  );
}
