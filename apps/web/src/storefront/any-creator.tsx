import { Link } from 'react-router-dom';
import { paths } from '../navigation/paths.ts';
import { buttonClass } from '../ui/button.tsx';

/** A link to all creators, for a buyer whose seller is unknown. */
export function AnyCreator() {
  return (
    <Link to={paths.browse} className={buttonClass('secondary')}>
      Find the Creator
    </Link>
  );
}
