import { withoutFormat } from '@stoa/contracts/simple-format';
import type { Layout, PublicOffering } from '@stoa/contracts';
import { useCreatorOfferings } from '../../api/creator.resources.ts';
import { messageFor, referenceOf, errorMessages } from '../../api/messages.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { pictureSizes } from '../../picture-sizes.ts';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { CoverPlaceholder } from '../../ui/cover-placeholder.tsx';
import { EmptyState, ErrorState } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { Tag } from '../../ui/tag.tsx';
import { AccessNow } from './access-now.tsx';
import { LinkHost } from './link-host.tsx';
import { WorkshopFacts } from './workshop-facts.tsx';

const grid = 'grid gap-4 sm:grid-cols-2 sm:gap-6';
/** Seen without scrolling. */
const firstScreen = 2;

interface OfferingGridProps {
  username: string;
  layout?: Layout | undefined;
}

/** Rows in place of cards where the creator wants them: the same elements, laid out by offering-list.css. */
export function OfferingGrid({ username, layout }: OfferingGridProps) {
  return (
    <section
      aria-labelledby="offerings-title"
      data-layout={layout}
      className="lg:col-start-2 lg:row-span-3 lg:row-start-1"
    >
      <h2 id="offerings-title" className="mb-3 text-2xl sm:mb-5 sm:text-3xl">
        Offerings
      </h2>
      <Offerings username={username} />
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
  if (offerings.data.items.length === 0) {
    return <EmptyState title="This creator has not added any offerings yet." />;
  }
  return (
    <ul className={grid}>
      {offerings.data.items.map((offering, index) => (
        <li key={offering.id}>
          <OfferingCard
            offering={offering}
            address={paths.offering(username, offering.slug)}
            pinned={offering.id === offerings.data?.pinnedId}
            eager={index < firstScreen}
          />
        </li>
      ))}
    </ul>
  );
}

interface OfferingCardProps {
  offering: PublicOffering;
  address: string;
  pinned: boolean;
  eager: boolean;
}

/** On a phone a row, so that what is for sale and its button stand on the first screen; a card elsewhere. */
function OfferingCard({ offering, address, pinned, eager }: OfferingCardProps) {
  return (
    <article className="bg-surface border-line shadow-card rounded-card grid h-full grid-cols-[6.5rem_1fr] content-start gap-x-4 overflow-hidden border p-3 sm:flex sm:flex-col sm:gap-0 sm:p-0">
      {/* The title is the link that is heard and tabbed to. */}
      <Link
        to={address}
        tabIndex={-1}
        aria-hidden
        className="bg-sunk rounded-field block aspect-square self-start overflow-hidden sm:aspect-3/2 sm:self-auto sm:rounded-none"
      >
        {offering.coverImage ? (
          <Picture picture={offering.coverImage} alt="" sizes={pictureSizes.offering} eager={eager} />
        ) : (
          <CoverPlaceholder />
        )}
      </Link>
      <div className="min-w-0 sm:flex-1 sm:px-6 sm:pt-5">
        <p className="text-muted flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {offering.type}
          {pinned && <Tag>Pinned</Tag>}
        </p>
        <h3 dir="auto" className="text-xl sm:text-2xl">
          <Link to={address} className="hover:text-accent no-underline">
            {offering.title}
          </Link>
        </h3>
        <p dir="auto" className="mt-1 leading-snug font-semibold sm:text-lg">
          {offering.price}
        </p>
      </div>
      <div className="col-span-2 sm:px-6 sm:pb-6">
        <WorkshopFacts offering={offering} />
        <ClampedText
          text={withoutFormat(offering.description)}
          of={offering.title}
          clamp="sm:line-clamp-5"
          wideLength={190}
          className="offering-description text-muted mt-2 text-sm sm:text-base"
        />
        <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 sm:mt-4">
          <LinkHost url={offering.paymentUrl} className="min-w-0 flex-1" />
          <AccessNow offering={offering} size="small" />
        </div>
      </div>
    </article>
  );
}
