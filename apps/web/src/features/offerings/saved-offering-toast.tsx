import { delivers, type Offering } from '@stoa/contracts';
import { isPublicOffering } from '@stoa/contracts/choices';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useMe } from '../../auth/me.queries.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useToast } from '../../ui/toast.tsx';

/** After an offering was saved: where it is seen, and the links to pass on. */
export function SavedOfferingToast({ offerings }: { offerings: readonly Offering[] }) {
  const announce = useToast();
  const navigate = useNavigate();
  const { state } = useLocation();
  const { data: me } = useMe();
  const saved = typeof state === 'object' && state !== null && 'saved' in state ? state.saved : undefined;
  const offering = offerings.find(({ id }) => id === saved);

  useEffect(() => {
    if (!offering || !me) return;
    // Told once, and not again on the way back.
    void navigate(paths.dashboard, { replace: true, state: null });
    const isSeen = me.isPublic && isPublicOffering(offering);
    const address = paths.offering(me.username, offering.slug);
    announce(
      'success',
      `“${offering.title}” is saved.`,
      <>
        {isSeen && (
          <>
            <Link to={address} className={buttonClass('secondary', 'small')}>
              View
            </Link>
            <CopyButton label="Copy link" text={location.origin + address} />
          </>
        )}
        {delivers(offering) && (
          <CopyButton
            label="Copy delivery link"
            text={location.origin + paths.delivery(offering.creatorId, offering.id, offering.deliveryKey)}
          />
        )}
      </>,
    );
  }, [offering, me, announce, navigate]);
  return null;
}
