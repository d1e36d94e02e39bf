import { delivers, type Numbers, type Offering } from '@stoa/contracts';
import { isPublicOffering } from '@stoa/contracts/choices';
import { offeringTypeLabel } from '@stoa/contracts/offering-types';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { useMe } from '../../../auth/me.queries.ts';
import { untypedOffering } from '@stoa/contracts/facts';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '../../../navigation/paths.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { CoverPlaceholder } from '../../../ui/pictures/cover-placeholder.tsx';
import { BinIcon, EyeIcon, PencilIcon, PinIcon } from '../../../ui/icons/editor-icons.tsx';
import { MenuButton, MenuItem, menuItemClass } from '../../../ui/overlays/menu-button.tsx';
import { Picture } from '../../../ui/pictures/picture.tsx';
import { ownWords } from '../../../ui/text/own-words.ts';
import { PersonalWords } from '../../../ui/text/personal-words.tsx';
import { CopyDeliveryLink } from './copy-delivery-link.tsx';
import { StateMark } from './state-mark.tsx';

interface OfferingRowProps {
  offering: Offering;
  pinned: boolean;
  /** The visits of its page in the last seven days; undefined if they could not be read. */
  week: Pick<Numbers['offerings'][number], 'views' | 'accessClicks'> | undefined;
  handle: ReactNode;
  /** Further actions for the menu. */
  children: ReactNode;
  onDelete: () => void;
}

export function OfferingRow({ offering, pinned, week, handle, children, onDelete }: OfferingRowProps) {
  const me = useMe().data;
  const { id, title, description } = offering;
  const isSeen = isPublicOffering(offering) && (me?.isPublic ?? true);
  const preview = previewPaths.offering(id);
  return (
    <article className="flex items-center gap-3 max-sm:min-h-[5.5rem] sm:gap-4 sm:py-2">
      {handle}
      <div className="bg-sunk rounded-field aspect-3/2 w-14 shrink-0 overflow-hidden sm:w-18">
        {offering.coverImage ? (
          <Picture picture={offering.coverImage} alt="" sizes="4.5rem" />
        ) : (
          <CoverPlaceholder />
        )}
      </div>
      <div className="min-w-0 flex-1 sm:flex sm:items-center sm:gap-5">
        <div className="min-w-0 sm:flex-1">
          <h3 {...ownWords(title, description)} className="truncate text-base leading-tight sm:text-lg">
            {me ? (
              <Link
                to={isSeen ? paths.offering(me.username, offering.slug) : preview}
                className="hover:text-accent hover:underline"
              >
                {title}
              </Link>
            ) : (
              title
            )}
          </h3>
          <Facts offering={offering} />
        </div>
        <div className="text-sm leading-snug sm:w-34 sm:shrink-0">
          <div className="flex items-center gap-1.5 font-medium">
            <StateMark offering={offering} />
            {pinned && (
              <span title="Pinned" className="text-accent [&>svg]:size-4">
                <PinIcon />
                <span className="sr-only">Pinned</span>
              </span>
            )}
          </div>
          {week && (
            <p className="text-muted truncate">
              <span className="sr-only">Last 7 days: </span>
              {counted(week.views, 'view')}, {counted(week.accessClicks, 'click')}
            </p>
          )}
        </div>
      </div>
      <div className="flex shrink-0 items-center max-sm:-me-2 max-sm:flex-col-reverse sm:gap-1">
        {delivers(offering) && offering.sharedLink !== false ? (
          <CopyDeliveryLink offering={offering} />
        ) : (
          <span className="size-11 max-sm:hidden" />
        )}
        <Link
          to={paths.editOffering(id)}
          className={`${buttonClass('secondary', 'small')} mx-1 max-sm:hidden`}
        >
          Edit<span className="sr-only"> {title}</span>
        </Link>
        <IconButton label={`Delete ${title}`} className="max-sm:hidden" onClick={onDelete}>
          <BinIcon />
        </IconButton>
        <MenuButton label={`More for ${title}`}>
          <Link to={paths.editOffering(id)} className={`${menuItemClass} sm:hidden`}>
            <PencilIcon />
            <span>
              Edit<span className="sr-only"> {title}</span>
            </span>
          </Link>
          {!isSeen && (
            <Link to={preview} className={menuItemClass}>
              <EyeIcon />
              <span>
                Preview<span className="sr-only"> {title}</span>
              </span>
            </Link>
          )}
          {children}
          <MenuItem className="text-danger sm:hidden" closes onClick={onDelete}>
            <BinIcon />
            <span>
              Delete<span className="sr-only"> {title}</span>
            </span>
          </MenuItem>
        </MenuButton>
      </div>
    </article>
  );
}

/** Type, price, the workshop's time in its own zone, and seats. */
function Facts({ offering: { type, price, schedule, seats } }: { offering: Offering }) {
  return (
    <p className="text-muted truncate text-sm leading-snug">
      <span>{offeringTypeLabel(type) || untypedOffering}</span> · <PersonalWords text={price} />
      {schedule && (
        <>
          {' · '}
          <time dateTime={schedule.startsAt}>{schedule.text}</time>
        </>
      )}
      {typeof seats === 'number' && ` · ${counted(seats, 'seat')} left`}
    </p>
  );
}

const counted = (count: number, what: string) =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
