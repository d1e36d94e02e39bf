import { delivers, type Offering } from '@stoa/contracts';
import { isPublicState } from '@stoa/contracts/choices';
import { limits } from '@stoa/contracts/limits';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { creatorErrorMessages } from '../../api/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { useNumbers } from '../../api/numbers.queries.ts';
import { useMyOfferings } from '../../api/my-offerings.queries.ts';
import { useMe } from '../../auth/me.queries.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState, ErrorState, Message } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { OfferingList } from './offering-list.tsx';
import type { OwnOfferings } from './offering-order.ts';
import { SavedOfferingToast } from './saved-offering-toast.tsx';
import { useArchiveOffering, useDeleteOffering } from './offerings.queries.ts';

export default function OfferingsPanel() {
  const offerings = useMyOfferings();
  const navigate = useNavigate();
  const comes = createdIn(useLocation().state);
  const [created] = useState(comes);
  useEffect(() => {
    if (comes === undefined) return;
    // Told once, and not again on the way back or after a reload.
    void navigate(paths.dashboard, { replace: true, state: null, preventScrollReset: true });
  }, [comes, navigate]);
  const told = useRef<HTMLDivElement>(null);
  const isTold = created !== undefined && !offerings.isPending;
  useEffect(() => {
    // On a phone all of the profile stands above it.
    if (isTold) told.current?.scrollIntoView({ block: 'nearest' });
  }, [isTold]);
  const count = offerings.data?.items.length;
  return (
    <section
      aria-labelledby="my-offerings"
      className="bg-surface border-line shadow-card rounded-card border p-5 sm:p-8"
    >
      <h2 id="my-offerings" className="mb-6 text-3xl">
        Your Offerings{count === undefined ? '' : ` (${count})`}
      </h2>
      <div ref={told} role="status" className="mb-6 scroll-my-24 empty:hidden">
        {isTold && <CreatedNote offering={offerings.data?.items.find(({ id }) => id === created)} />}
      </div>
      {offerings.data ? (
        <>
          <SavedOfferingToast offerings={offerings.data.items} />
          <Offerings list={offerings.data} />
        </>
      ) : offerings.isError ? (
        <ErrorState
          title={messageFor(creatorErrorMessages.ownOfferings, offerings.error)}
          reference={referenceOf(offerings.error)}
          onRetry={() => void offerings.refetch()}
        />
      ) : (
        <div className="grid gap-4">
          <LoadingText>Loading your offerings...</LoadingText>
          <Skeleton className="h-24" />
          <Skeleton className="h-24" />
        </div>
      )}
    </section>
  );
}

const createdIn = (state: unknown) =>
  typeof state === 'object' && state !== null && 'created' in state ? state.created : undefined;

/** After publishing: where it is now, and what goes to the payment provider. */
function CreatedNote({ offering }: { offering: Offering | undefined }) {
  const { data: me } = useMe();
  const address = me && (offering ? paths.offering(me.username, offering.slug) : paths.profile(me.username));
  if (offering && !isPublicState(offering.state))
    return <Message kind="success">Your offering is saved. Visitors see it once you publish it.</Message>;
  if (me && !me.isPublic)
    return (
      <Message kind="success">
        Your offering is saved. Visitors see it as soon as your profile is public.
      </Message>
    );
  return (
    <Message kind="success">
      <p>Your offering is published.</p>
      <div className="text-ink mt-3 flex flex-wrap items-center gap-2">
        {address && (
          <>
            <Link to={address} className={buttonClass('secondary', 'small')}>
              View
            </Link>
            <CopyButton label="Copy link" text={location.origin + address} />
          </>
        )}
        {offering && delivers(offering) && (
          <CopyButton
            label="Copy delivery link"
            text={location.origin + paths.delivery(offering.creatorId, offering.id, offering.deliveryKey)}
          />
        )}
      </div>
      {offering && delivers(offering) && (
        <p className="mt-3">
          The delivery link is for buyers: paste it into your payment provider’s thank-you redirect.
        </p>
      )}
    </Message>
  );
}

function Offerings({ list }: { list: OwnOfferings }) {
  const [toDelete, setToDelete] = useState<Offering>();
  const remove = useDeleteOffering();
  const archive = useArchiveOffering();
  const announce = useToast();

  const archiveInstead = async (offering: Offering) => {
    try {
      await archive.mutateAsync(offering);
      announce('success', 'Offering archived. Buyers keep their downloads.');
    } catch (error) {
      announce('failure', messageFor(creatorErrorMessages.offeringUpdate, error));
    }
    setToDelete(undefined);
  };
  const confirm = async () => {
    if (!toDelete || remove.isPending) return;
    try {
      await remove.mutateAsync(toDelete.id);
      announce('success', 'Offering deleted successfully!');
    } catch (error) {
      announce('failure', messageFor(creatorErrorMessages.offeringDelete, error));
    }
    setToDelete(undefined);
  };

  return (
    <>
      {list.items.length === 0 ? (
        <EmptyState title="You have not added any offerings yet.">
          <Link to={paths.addOffering} className={buttonClass()}>
            Create Your First Offering
          </Link>
        </EmptyState>
      ) : (
        <OfferingList list={list} onDelete={setToDelete} />
      )}
      <ConfirmDialog
        open={toDelete !== undefined}
        title="Delete this offering?"
        text={toDelete && <Consequence offering={toDelete} />}
        alternative={
          toDelete && toDelete.state !== 'archived'
            ? { label: 'Archive Instead', onChoose: () => void archiveInstead(toDelete) }
            : undefined
        }
        confirmLabel="Delete"
        busyLabel={remove.isPending ? 'Deleting...' : undefined}
        busy={remove.isPending || archive.isPending}
        onConfirm={() => void confirm()}
        onCancel={() => setToDelete(undefined)}
      />
    </>
  );
}

/** What becomes of those who have bought it. */
function Consequence({ offering: { id, title, state } }: { offering: Offering }) {
  const days = limits.listedVisitDays;
  const counts = useNumbers(days).data?.offerings;
  const downloads = counts?.find(({ offeringId }) => offeringId === id)?.downloads ?? 0;
  const times = `${downloads.toLocaleString('en')} download${downloads === 1 ? '' : 's'}`;
  return (
    <>
      <bdi>“{title}”</bdi> disappears from your profile, and the download links of its buyers stop working.{' '}
      {downloads > 0 && `It had ${times} in the last ${days} days. `}
      This cannot be undone.
      {state !== 'archived' &&
        ' Archive it instead, and visitors no longer see it while buyers keep their downloads.'}
    </>
  );
}
