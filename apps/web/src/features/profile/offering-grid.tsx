import type { PublicOffering } from '@stoa/contracts';
import { useState } from 'react';
import { messageFor, referenceOf, words } from '../../api/messages.ts';
import { pictureSizes } from '../../picture-sizes.ts';
import { buttonClass } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CoverPlaceholder } from '../../ui/cover-placeholder.tsx';
import { EmptyState, ErrorState } from '../../ui/notice.tsx';
import { Picture } from '../../ui/picture.tsx';
import { LoadingText, Skeleton } from '../../ui/skeleton.tsx';
import { LinkHost } from './link-host.tsx';
import { useCreatorOfferings } from './profile.resources.ts';

const grid = 'grid gap-6 sm:grid-cols-2 lg:grid-cols-3';

export function OfferingGrid({ username }: { username: string }) {
  return (
    <section aria-labelledby="offerings-title" className="mt-16">
      <h2 id="offerings-title" className="mb-7 text-3xl">
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
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
          <Skeleton className="h-96" />
        </div>
      </>
    );
  }
  if (!offerings.data) {
    const { error, reload } = offerings;
    return (
      <ErrorState
        title={messageFor(words.publicOfferings, error)}
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
      {offerings.data.items.map((offering) => (
        <li key={offering.id}>
          <OfferingCard offering={offering} />
        </li>
      ))}
    </ul>
  );
}

function OfferingCard({ offering }: { offering: PublicOffering }) {
  return (
    <article className="bg-surface border-line shadow-card rounded-card flex h-full flex-col overflow-hidden border">
      <div className="bg-sunk aspect-3/2 overflow-hidden">
        {offering.coverImage ? (
          <Picture picture={offering.coverImage} alt="" sizes={pictureSizes.card} />
        ) : (
          <CoverPlaceholder />
        )}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-6">
        <h3 dir="auto" className="text-2xl">
          {offering.title}
        </h3>
        <Description text={offering.description} of={offering.title} />
        <div className="border-line mt-2 flex items-center justify-between gap-4 border-t pt-4">
          <p dir="auto" className="min-w-0 font-serif text-xl leading-snug font-semibold text-balance">
            {offering.price}
          </p>
          <a
            href={offering.paymentUrl}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className={`${buttonClass('primary', 'small')} shrink-0`}
          >
            Access Now<span className="sr-only">: {offering.title} (opens in a new tab)</span>
          </a>
        </div>
        <LinkHost url={offering.paymentUrl} className="text-end" />
      </div>
    </article>
  );
}

/** A long one makes no tall card: it ends in a way to the rest. */
function Description({ text, of }: { text: string; of: string }) {
  const [open, setOpen] = useState(false);
  const long = text.length > 240 || text.split('\n').length > 6;
  return (
    <div className="text-muted flex-1">
      <p dir="auto" className={classNames('whitespace-pre-line', long && !open && 'line-clamp-6')}>
        {text}
      </p>
      {long && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="text-accent min-h-10 font-semibold"
        >
          {open ? 'Less' : 'More'}
          <span className="sr-only"> about {of}</span>
        </button>
      )}
    </div>
  );
}
