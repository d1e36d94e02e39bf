import type { Layout, PublicOffering, PublicOfferingList } from '@stoa/contracts';
import type { ReactNode } from 'react';
import { useCreatorOfferings } from '../../api/public/creator.queries.ts';
import { messageFor, referenceOf, errorMessages } from '../../api/messages.ts';
import { OfferingCard } from '../../storefront/offering-card.tsx';
import { paths } from '../../navigation/paths.ts';
import { EmptyState, ErrorState } from '../../ui/notice.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';

const grid = 'offering-grid grid gap-4 sm:grid-cols-2 sm:gap-6';

interface OfferingGridProps {
  username: string;
  layout?: Layout | undefined;
  /** Replaces the public offerings. */
  children?: ReactNode;
}

/** Cards, or rows if the creator chose the list: the same elements, laid out by offering-list.css. */
export function OfferingGrid({ username, layout, children }: OfferingGridProps) {
  return (
    <section
      aria-labelledby="offerings-title"
      data-layout={layout}
      className="lg:col-start-2 lg:row-span-3 lg:row-start-1"
    >
      <h2 id="offerings-title" className="mb-3 text-2xl sm:mb-5 sm:text-3xl">
        Offerings
      </h2>
      {children ?? <Offerings username={username} />}
    </section>
  );
}

function Offerings({ username }: { username: string }) {
  const offerings = useCreatorOfferings(username);
  if (!offerings.data && !offerings.error) {
    return (
      <>
        <LoadingText>Loading offerings...</LoadingText>
        <div className={grid}>
          <Skeleton className="h-44 sm:h-96" />
          <Skeleton className="h-44 sm:h-96" />
        </div>
      </>
    );
  }
  if (!offerings.data) {
    const { error, reload } = offerings;
    return (
      <ErrorState
        title={messageFor(errorMessages.publicOfferings, error)}
        reference={referenceOf(error)}
        onRetry={reload}
      />
    );
  }
  return <OfferingCards {...offerings.data} addressOf={({ slug }) => paths.offering(username, slug)} />;
}

export interface OfferingCardsProps extends PublicOfferingList {
  addressOf: (offering: PublicOffering) => string;
}

export function OfferingCards({ items, addressOf }: OfferingCardsProps) {
  if (items.length === 0) return <EmptyState title="This creator has not added any offerings yet." />;
  return (
    <ul className={grid}>
      {items.map((offering) => (
        <li key={offering.id}>
          <OfferingCard offering={offering} address={addressOf(offering)} />
        </li>
      ))}
    </ul>
  );
}
