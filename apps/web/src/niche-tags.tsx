import { Link } from './link.tsx';
import { paths } from './paths.ts';
import { tagClass } from './ui/tag.tsx';

/**
 * A creator's niches, each of which leads to all who have it. They lie above a link that fills a whole card, and what is
 * to be hit is larger than what is seen.
 */
export function NicheTags({ names, label }: { names: readonly string[]; label: string }) {
  if (names.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li key={name}>
          <Link
            to={`${paths.browse}?niche=${name}`}
            className={`relative z-1 inline-block after:absolute after:-inset-1 hover:underline ${tagClass}`}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
