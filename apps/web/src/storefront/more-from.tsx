import { Link } from 'react-router-dom';
import { useCreatorOfferings } from '../api/public/creator.queries.ts';
import { paths } from '../navigation/paths.ts';
import { pictureSizes } from './picture-sizes.ts';
import { CoverPlaceholder } from '../ui/pictures/cover-placeholder.tsx';
import { Picture } from '../ui/pictures/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ownWords } from '../ui/text/own-words.ts';
import { PersonalWords } from '../ui/text/personal-words.tsx';

/**
 * As many offerings as fit in one row. A failed read shows nothing, since the page's subject is another
 * offering.
 */
export function MoreFrom({ username, name, shown }: { username: string; name: string; shown: string }) {
  const { data, error } = useCreatorOfferings(username);
  if (!data && !error) return <Skeleton className="mt-16 h-72" />;
  const others = data?.items.filter(({ id }) => id !== shown).slice(0, 3) ?? [];
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="more-title" className="mt-16">
      <h2 id="more-title" className="mb-6 text-2xl">
        More from <PersonalWords text={name} />
      </h2>
      <ul className="grid grid-cols-1 gap-6 sm:grid-cols-3">
        {others.map(({ id, slug, title, price, coverImage }) => (
          <li key={id}>
            <Link
              to={paths.offering(username, slug)}
              className="bg-surface border-line shadow-card rounded-card group block overflow-hidden border no-underline"
            >
              <span className="bg-sunk block aspect-3/2 overflow-hidden">
                {coverImage ? (
                  <Picture picture={coverImage} alt="" sizes={pictureSizes.card} />
                ) : (
                  <CoverPlaceholder />
                )}
              </span>
              <span className="block p-4">
                <span
                  {...ownWords(title)}
                  className="group-hover:text-accent line-clamp-2 font-serif text-lg [overflow-wrap:anywhere]"
                >
                  {title}
                </span>
                <span {...ownWords(price)} className="text-muted mt-1 block [overflow-wrap:anywhere]">
                  {price}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
