import type { Offering } from '@stoa/contracts';
import { useState } from 'react';
import { creatorWords } from '../../api/creator-messages.ts';
import { messageFor, referenceOf } from '../../api/messages.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState, ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { OfferingRow } from './offering-row.tsx';
import { useDeleteOffering, useMyOfferings } from './offerings.queries.ts';

export default function OfferingsPanel() {
  const offerings = useMyOfferings();
  const count = offerings.data?.items.length;
  return (
    <section
      aria-labelledby="my-offerings"
      className="bg-surface border-line shadow-card rounded-card border p-5 sm:p-8"
    >
      <h2 id="my-offerings" className="mb-6 text-3xl">
        Your Offerings{count === undefined ? '' : ` (${count})`}
      </h2>
      {offerings.data ? (
        <OfferingList offerings={offerings.data.items} />
      ) : offerings.isError ? (
        <ErrorState
          title={messageFor(creatorWords.ownOfferings, offerings.error)}
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

function OfferingList({ offerings }: { offerings: readonly Offering[] }) {
  const [doomed, setDoomed] = useState<Offering>();
  const remove = useDeleteOffering();
  const announce = useToast();

  const confirm = async () => {
    if (!doomed || remove.isPending) return;
    try {
      await remove.mutateAsync(doomed.id);
      announce('success', 'Offering deleted successfully!');
    } catch (error) {
      announce('failure', messageFor(creatorWords.offeringDelete, error));
    }
    setDoomed(undefined);
  };

  return (
    <>
      {offerings.length === 0 ? (
        <EmptyState title="You have not added any offerings yet.">
          <Link to={paths.addOffering} className={buttonClass()}>
            Create Your First Offering
          </Link>
        </EmptyState>
      ) : (
        <ul className="divide-line divide-y">
          {offerings.map((offering) => (
            <li key={offering.id}>
              <OfferingRow offering={offering} onDelete={() => setDoomed(offering)} />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={doomed !== undefined}
        title="Delete this offering?"
        text={`“${doomed?.title ?? ''}” disappears from your profile at once. This cannot be undone.`}
        confirmLabel="Delete"
        busyLabel="Deleting..."
        busy={remove.isPending}
        onConfirm={() => void confirm()}
        onCancel={() => setDoomed(undefined)}
      />
    </>
  );
}
