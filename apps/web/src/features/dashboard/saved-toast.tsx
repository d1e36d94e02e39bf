import { useEffect } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useMe } from '../../auth/me.queries.ts';
import { paths } from '../../navigation/paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useToast } from '../../ui/overlays/toast.tsx';

/** The toast after a save of the profile, with its public address to share. */
export function SavedToast() {
  const announce = useToast();
  const navigate = useNavigate();
  const { state } = useLocation();
  const { data: me } = useMe();
  const isSaved = typeof state === 'object' && state !== null && 'savedProfile' in state;

  useEffect(() => {
    if (!isSaved || !me) return;
    // Clears the state, so that going back does not show the toast again.
    void navigate(paths.dashboard, { replace: true, state: null });
    const address = paths.profile(me.username);
    announce(
      'success',
      me.isPublic ? 'Your profile is saved.' : 'Your profile is saved. Nobody else sees it yet.',
      me.isPublic && (
        <>
          <Link to={address} className={`${buttonClass('secondary', 'small')} max-sm:hidden`}>
            View
          </Link>
          <CopyButton label="Copy link" text={location.origin + address} />
        </>
      ),
    );
  }, [isSaved, me, announce, navigate]);
  return null;
}
