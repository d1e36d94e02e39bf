import { Link } from 'react-router-dom';
import { useSession } from '../../auth/session.ts';
import { buttonClass } from '../../ui/button.tsx';

/** A link to the editor, for the owner only. */
export function OwnerLink({ owner, to, label }: { owner: string; to: string; label: string }) {
  const session = useSession();
  return (
    session.status === 'signed-in' &&
    session.uid === owner && (
      <Link to={to} className={buttonClass('secondary', 'small')}>
        {label}
      </Link>
    )
  );
}
