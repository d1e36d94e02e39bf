import type { Numbers, Offering } from '@stoa/contracts';
import { isPublicOffering, offeringStateLabels } from '@stoa/contracts/choices';
import { offeringTypeLabel } from '@stoa/contracts/offering-types';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { useMe } from '../../../auth/me.queries.ts';
import { untypedOffering } from '@stoa/contracts/facts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../../navigation/paths.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { CoverPlaceholder } from '../../../ui/pictures/cover-placeholder.tsx';
import { BinIcon, PencilIcon } from '../../../ui/icons/editor-icons.tsx';
import { Picture } from '../../../ui/pictures/picture.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { ownWords } from '../../../ui/text/own-words.ts';
import { PersonalWords } from '../../../ui/text/personal-words.tsx';

interface OfferingRowProps {
  offering: Offering;
  pinned: boolean;
  /** The visits of its page in the last seven days; undefined if they could not be read. */
  week: Pick<Numbers['offerings'][number], 'views' | 'accessClicks'> | undefined;
  handle: ReactNode;
  children: ReactNode;
  onDelete: () => void;
}

export function OfferingRow({ offering, pinned, week, handle, children, onDelete }: OfferingRowProps) {
  const me = useMe().data;
  const isSeen = isPublicOffering(offering) && (me?.isPublic ?? true);
  const preview = previewPaths.offering(offering.id);
  const type = offeringTypeLabel(offering.type) || untypedOffering;
  return (
    <article className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4">
      {handle}
      <div className="bg-sunk rounded-field aspect-3/2 w-24 shrink-0 overflow-hidden sm:w-28">
        {offering.coverImage ? (
          <Picture picture={offering.coverImage} alt="" sizes="7rem" />
        ) : (
          <CoverPlaceholder />
        )}
      </div>
      <div className="min-w-32 flex-1 sm:min-w-72">
        <h3 {...ownWords(offering.title, offering.description)} className="text-xl">
          {me ? (
            <Link
              to={isSeen ? paths.offering(me.username, offering.slug) : preview}
              className="hover:text-accent hover:underline"
            >
              {offering.title}
            </Link>
          ) : (
            offering.title
          )}
        </h3>
        <p className="text-muted text-sm">
          <span>{type}</span> · <PersonalWords text={offering.price} />
        </p>
        <WorkshopLine offering={offering} />
        {week && (
          <p className="text-muted text-sm">
            Last 7 days: {counted(week.views, 'view')}, {counted(week.accessClicks, 'click')}
          </p>
        )}
        <p className="mt-1 flex flex-wrap gap-1.5">
          <Tag>{offeringStateLabels[offering.state]}</Tag>
          {pinned && <Tag>Pinned</Tag>}
          {offering.takenDown && <Tag>Hidden by Stoa</Tag>}
          {offering.schedule?.ended && <Tag>Ended</Tag>}
        </p>
        {!isSeen && (
          <Link
            to={preview}
            className="text-accent hover:text-accent-strong inline-flex min-h-11 items-center text-sm font-semibold"
          >
            Preview<span className="sr-only"> {offering.title}</span>
          </Link>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:ms-auto">
        <div className="flex flex-wrap">{children}</div>
        <div className="flex flex-wrap gap-2">
          <Link to={paths.editOffering(offering.id)} className={buttonClass('secondary', 'small')}>
            <PencilIcon /> Edit<span className="sr-only"> {offering.title}</span>
          </Link>
          <Button look="danger" size="small" onClick={onDelete}>
            <BinIcon /> Delete<span className="sr-only"> {offering.title}</span>
          </Button>
        </div>
      </div>
    </article>
  );
}

/** The time in the workshop's own zone, as visitors see it first. */
function WorkshopLine({ offering: { schedule, seats } }: { offering: Offering }) {
  const left = typeof seats === 'number' ? `${counted(seats, 'seat')} left` : '';
  if (!schedule && !left) return null;
  return (
    <p className="text-muted text-sm">
      {schedule && <time dateTime={schedule.startsAt}>{schedule.text}</time>}
      {schedule && left && ' · '}
      {left}
    </p>
  );
}

const counted = (count: number, what: string) =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
