import { useSession } from '../../auth/session.ts';
import { Link } from '../../link.tsx';
import { buttonClass } from '../../ui/button.tsx';

/** To the editor of what is shown, for its owner only. */
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
