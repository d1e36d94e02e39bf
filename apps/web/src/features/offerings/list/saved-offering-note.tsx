import { delivers, type Offering } from '@stoa/contracts';
import { isPublicOffering, isPublicState } from '@stoa/contracts/choices';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useMe } from '../../../auth/me.queries.ts';
import { paths } from '../../../navigation/paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Message } from '../../../ui/notice.tsx';
import { useRegionAhead } from '../../../ui/live-region.tsx';
import { PersonalWords } from '../../../ui/text/personal-words.tsx';

/** The state that an editor passes to the dashboard: the server's answer to its write. */
interface Saved {
  offering: Offering;
  /** Whether the write created or published the offering. */
  isNew: boolean;
}

/** The note after a save: whether visitors see the offering, and the links to share. */
export function SavedOfferingNote({ offerings }: { offerings: readonly Offering[] | undefined }) {
  const navigate = useNavigate();
  const arrived = savedIn(useLocation().state);
  const [saved] = useState(arrived);
  const hasArrived = arrived !== undefined;
  const [wasListed, setWasListed] = useState(false);
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasArrived) return;
    // Shown once, and not again after going back or a reload.
    void navigate(paths.dashboard, { replace: true, state: null, preventScrollReset: true });
  }, [hasArrived, navigate]);
  const isAhead = useRegionAhead();
  useEffect(() => {
    // On a phone the whole profile is above the note.
    if (saved && isAhead) note.current?.scrollIntoView({ block: 'nearest' });
  }, [saved, isAhead]);

  const listed = saved && offerings?.find(({ id }) => id === saved.offering.id);
  if (listed && !wasListed) setWasListed(true);
  // The list is newer than the state, so later changes appear. A deleted offering has no note.
  const offering = listed ?? (wasListed ? undefined : saved?.offering);
  return (
    <div ref={note} role="status" className="mb-6 scroll-my-24 empty:absolute">
      {isAhead && saved && offering && <Note offering={offering} isNew={saved.isNew} />}
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
  const isShared = delivers(offering) && offering.sharedLink !== false;
  const address = me && paths.offering(me.username, offering.slug);
  return (
    <Message kind="success">
      <p className="[overflow-wrap:anywhere]">
        {isNew && isSeen ? (
          'Your offering is published.'
        ) : (
          <>
            “<PersonalWords text={offering.title} />” is saved.
          </>
        )}{' '}
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
        {isShared && (
          <CopyButton
            label="Copy delivery link"
            text={location.origin + paths.delivery(offering.creatorId, offering.id, offering.deliveryKey)}
          />
        )}
      </div>
      {isShared && (
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
