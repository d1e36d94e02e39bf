import { Link } from 'react-router-dom';
import { paths } from '../navigation/paths.ts';
import { tagClass } from '../ui/tag.tsx';

/**
 * A creator's niches. Each links to all creators of the niche. The links are above a link that fills a whole
 * card, and their click area is larger than the visible tag.
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
