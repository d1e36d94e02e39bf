import { Link } from 'react-router-dom';
import { useCreators } from '../../api/public/creator.queries.ts';
import { CreatorCard, creatorGrid } from '../../storefront/creator-card.tsx';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ArrowIcon } from '../../ui/icons/icons.tsx';

const shown = 4;

/** Creators of this site, below the samples; nothing if there are too few or they cannot be read. */
export function RealCreators() {
  const { data } = useCreators({ search: '', niche: undefined });
  const creators = data?.items.slice(0, shown) ?? [];
  if (creators.length < shown) return null;
  return (
    <section aria-labelledby="real-title" className="mx-auto max-w-6xl px-5 pb-16 sm:px-8 sm:pb-24">
      <div className="mb-6 flex flex-wrap items-end justify-between gap-4">
        <h2 id="real-title" className="text-3xl">
          On Stoa today
        </h2>
        <Link to={paths.browse} className={buttonClass('secondary', 'small')}>
          Browse all creators <ArrowIcon />
        </Link>
      </div>
      <ul className={creatorGrid}>
        {creators.map((creator) => (
          <li key={creator.uid}>
            <CreatorCard creator={creator} />
          </li>
        ))}
      </ul>
    </section>
  );
}
