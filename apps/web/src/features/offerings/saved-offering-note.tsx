import { delivers, type Offering } from '@stoa/contracts';
import { isPublicOffering, isPublicState } from '@stoa/contracts/choices';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useMe } from '../../auth/me.queries.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Message } from '../../ui/notice.tsx';

/** What an editor hands to the dashboard: the server's answer to its write. */
interface Saved {
  offering: Offering;
  /** The write has made the offering, or has published it. */
  isNew: boolean;
}

/** After an offering was saved: what visitors see of it, and the links to pass on. */
export function SavedOfferingNote({ offerings }: { offerings: readonly Offering[] | undefined }) {
  const navigate = useNavigate();
  const arrived = savedIn(useLocation().state);
  const [saved] = useState(arrived);
  const hasArrived = arrived !== undefined;
  const [wasListed, setWasListed] = useState(false);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasArrived) return;
    // Shown once, and not again on the way back or after a reload.
    void navigate(paths.dashboard, { replace: true, state: null, preventScrollReset: true });
    // On a phone all of the profile stands above it.
    note.current?.scrollIntoView({ block: 'nearest' });
  }, [hasArrived, navigate]);

  const listed = saved && offerings?.find(({ id }) => id === saved.offering.id);
  if (listed && !wasListed) setWasListed(true);
  // A later change shows in the list; what was deleted since has no note.
  const offering = listed ?? (wasListed ? undefined : saved?.offering);
  return (
    <div ref={note} role="status" className="mb-6 scroll-my-24 empty:hidden">
      {saved && offering && <Note offering={offering} isNew={saved.isNew} />}
    </div>
  );
}

function savedIn(state: unknown): Saved | undefined {
  if (typeof state !== 'object' || state === null) return undefined;
  const { created, saved } = state as { created?: Offering; saved?: Offering };
  const offering = created ?? saved;
  return offering?.id === undefined ? undefined : { offering, isNew: created !== undefined };
}

function Note({ offering, isNew }: { offering: Offering; isNew: boolean }) {
  const { data: me } = useMe();
  const isSeen = me?.isPublic === true && isPublicOffering(offering);
  const address = me && paths.offering(me.username, offering.slug);
  return (
    <Message kind="success">
      <p className="[overflow-wrap:anywhere]">
        {isNew && isSeen ? 'Your offering is published.' : `“${offering.title}” is saved.`}{' '}
        {me && !isSeen && whyUnseen(offering)}
      </p>
      <div className="text-ink mt-3 flex flex-wrap items-center gap-2 empty:hidden">
        {isSeen && address && (
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
      </div>
      {delivers(offering) && (
        <p className="mt-3">
          The delivery link is for buyers: paste it into your payment provider’s thank-you redirect.
        </p>
      )}
    </Message>
  );
}

function whyUnseen({ state, takenDown }: Offering): string {
  if (takenDown) return 'Stoa has hidden it from visitors.';
  if (!isPublicState(state)) return 'Visitors see it once you publish it.';
  return 'Visitors see it as soon as your profile is public.';
}
