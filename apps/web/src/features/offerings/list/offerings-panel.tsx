import type { Offering } from '@stoa/contracts';
import { limits } from '@stoa/contracts/limits';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { creatorErrorMessages } from '../../../api/creator/creator-messages.ts';
import { messageFor, referenceOf } from '../../../api/messages.ts';
import { useNumbers } from '../../../api/creator/numbers.queries.ts';
import { useMyOfferings } from '../../../api/creator/my-offerings.queries.ts';
import { paths } from '../../../navigation/paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { EmptyState, ErrorState } from '../../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../../ui/skeleton.tsx';
import { useToast } from '../../../ui/overlays/toast.tsx';
import { OfferingList } from './offering-list.tsx';
import type { OwnOfferings } from '../offering-order.ts';
import { SavedOfferingNote } from './saved-offering-note.tsx';
import { useArchiveOffering, useDeleteOffering } from '../offerings.queries.ts';
import { PersonalWords } from '../../../ui/text/personal-words.tsx';

export default function OfferingsPanel() {
  const offerings = useMyOfferings();
  const count = offerings.data?.items.length;
  const { hash, key } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The panel may come after the step to its address, when the router has scrolled already.
    if (hash !== '#my-offerings') return;
    heading.current?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash, key]);
  return (
    <section
      aria-labelledby="my-offerings"
      className="bg-surface border-line shadow-card rounded-card border px-4 pt-4 pb-2 sm:px-6 sm:pt-5"
    >
      <h2 ref={heading} id="my-offerings" tabIndex={-1} className="mb-2 scroll-mt-28 text-2xl">
        Your Offerings{count === undefined ? '' : ` (${count})`}
      </h2>
      <SavedOfferingNote offerings={offerings.data?.items} />
      {offerings.data ? (
        <Offerings list={offerings.data} />
      ) : offerings.isError ? (
        <ErrorState
          title={messageFor(creatorErrorMessages.ownOfferings, offerings.error)}
          reference={referenceOf(offerings.error)}
          onRetry={() => void offerings.refetch()}
        />
      ) : (
        <div className="grid gap-3 pb-4">
          <LoadingText>Loading your offerings...</LoadingText>
          <Skeleton className="h-17" />
          <Skeleton className="h-17" />
        </div>
      )}
    </section>
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
      announce('failure', messageFor(creatorErrorMessages.offeringArchive, error));
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

/** What a deletion means for the buyers. */
function Consequence({ offering: { id, title, state } }: { offering: Offering }) {
  const days = limits.listedVisitDays;
  const counts = useNumbers(days).data?.offerings;
  const downloads = counts?.find(({ offeringId }) => offeringId === id)?.downloads ?? 0;
  const times = `${downloads.toLocaleString('en')} download${downloads === 1 ? '' : 's'}`;
  return (
    <>
      “<PersonalWords text={title} />” disappears from your profile, and the download links of its buyers stop
      working. {downloads > 0 && `It had ${times} in the last ${days} days. `}
      This cannot be undone.
      {state !== 'archived' &&
        ' Archive it instead, and visitors no longer see it while buyers keep their downloads.'}
    </>
  );
}
