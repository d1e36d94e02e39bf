import { isOperator } from '../../auth/sign-in.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';

/** The way to the room of operators, for them alone. */
export function OperatorLink() {
  if (!isOperator()) return null;
  return (
    <Link to={paths.review} className={`${buttonClass('secondary')} mt-3 w-full`}>
      Reports
    </Link>
  );
}
