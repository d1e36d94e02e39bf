import type { PublicOffering } from '@stoa/contracts';
import { offeringTypeLabel } from '@stoa/contracts/offering-types';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { AccessNow } from './access-now.tsx';
import { pictureSizes } from './picture-sizes.ts';
import { classNames } from '../ui/class-names.ts';
import { ClampedText } from '../ui/text/clamped-text.tsx';
import { CoverPlaceholder } from '../ui/pictures/cover-placeholder.tsx';
import { Picture } from '../ui/pictures/picture.tsx';
import { LinkHost } from '../ui/text/link-host.tsx';
import { WorkshopFacts } from './workshop-facts.tsx';
import { ownWords } from '../ui/text/own-words.ts';
import { lazyOptional } from '../ui/lazy-optional.tsx';

// Reading the format of a text needs much code. The text as written takes about the same space.
const CompactText = lazyOptional(
  async () => (await import('../ui/text/compact-text.tsx')).CompactText,
  ({ text }) => text,
);

interface OfferingCardProps {
  offering: Pick<
    PublicOffering,
    'title' | 'description' | 'price' | 'type' | 'paymentUrl' | 'coverImage' | 'schedule' | 'seats'
  >;
  address: string;
  /** Replaces the stored cover. */
  cover?: ReactNode;
}

/** On a phone a row, so that the offering and its button fit on the first screen; otherwise a card. */
export function OfferingCard({ offering, address, cover }: OfferingCardProps) {
  const { description, schedule, seats } = offering;
  const isBare = !description && !schedule && !seats;
  return (
    <article
      className={classNames(
        isBare && 'is-bare',
        'offering-card bg-surface border-line shadow-card rounded-card grid h-full grid-cols-[6.5rem_1fr] content-start gap-x-4 overflow-hidden border p-3 sm:flex sm:flex-col sm:gap-0 sm:p-0',
      )}
    >
      {/* The title is the link for screen readers and the keyboard. */}
      <Link
        to={address}
        viewTransition
        tabIndex={-1}
        aria-hidden
        className="offering-cover bg-sunk rounded-field block aspect-square self-start overflow-hidden sm:aspect-3/2 sm:self-auto sm:rounded-none"
      >
        {cover ??
          (offering.coverImage ? (
            <Picture picture={offering.coverImage} alt="" sizes={pictureSizes.offering} />
          ) : (
            <CoverPlaceholder />
          ))}
      </Link>
      <div className="offering-heading min-w-0 sm:px-6 sm:pt-5">
        <p className="text-muted flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          {offeringTypeLabel(offering.type)}
        </p>
        <h3
          {...ownWords(offering.title, offering.description)}
          className="offering-title text-xl sm:text-2xl"
        >
          <Link to={address} viewTransition className="hover:text-accent no-underline">
            {offering.title}
          </Link>
        </h3>
        <p
          {...ownWords(offering.price)}
          className="offering-price mt-1 leading-snug font-semibold sm:text-lg"
        >
          {offering.price}
        </p>
      </div>
      <div className="offering-details col-span-2 sm:px-6 sm:pb-6">
        <WorkshopFacts offering={offering} />
        <ClampedText
          text={description}
          of={offering.title}
          clamp="sm:line-clamp-5"
          wideLength={190}
          Words={CompactText}
          className={classNames(
            'offering-description text-muted mt-2 text-sm sm:text-base',
            !description && 'is-empty',
          )}
        />
        <div className="offering-foot flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <LinkHost url={offering.paymentUrl} className="min-w-0 flex-1" />
          <AccessNow offering={offering} size="small" />
        </div>
      </div>
    </article>
  );
}
