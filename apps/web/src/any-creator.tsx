import { Link } from './link.tsx';
import { paths } from './paths.ts';
import { buttonClass } from './ui/button.tsx';

/** The way to whoever sold something, where it cannot be said who that was. */
export function AnyCreator() {
  return (
    <Link to={paths.browse} className={buttonClass('secondary')}>
      Find the Creator
    </Link>
  );
}
