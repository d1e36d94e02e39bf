import type { CreatorCard as CreatorCardFacts, Thumbnail } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { Link } from 'react-router-dom';
import { NicheTags } from './niche-tags.tsx';
import { paths } from '../navigation/paths.ts';
import { pictureSizes } from './picture-sizes.ts';
import { Avatar, faceShape } from '../ui/pictures/avatar.tsx';
import { classNames } from '../ui/class-names.ts';
import { Picture } from '../ui/pictures/picture.tsx';
import { ownWords } from '../ui/text/own-words.ts';

interface CreatorCardProps {
  creator: CreatorCardFacts;
  eager?: boolean;
}

/**
 * The link to the profile covers the card, and the niche links are above it. On a phone the card is a row.
 */
export function CreatorCard({ creator, eager }: CreatorCardProps) {
  const name = displayNameOf(creator);
  const { offeringCount: count, thumbnails = [] } = creator;
  return (
    <article className="group bg-surface border-line shadow-card hover:shadow-lifted hover:border-edge rounded-card relative grid h-full grid-cols-[6rem_1fr] overflow-hidden border transition sm:flex sm:flex-col">
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes={pictureSizes.card}
        eager={eager}
        className={`face ${faceShape} m-3 mr-0 self-start sm:mx-5 sm:mt-5 sm:mb-0 sm:self-auto`}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-4 sm:p-5">
        <h2 {...ownWords(name, creator.bioPreview)} className="text-xl">
          {name}
        </h2>
        <NicheTags names={creator.niches} label={`Niches of ${name}`} />
        <p
          {...(creator.bioPreview ? ownWords(creator.bioPreview) : {})}
          className="text-muted line-clamp-2 text-sm sm:line-clamp-3"
        >
          {creator.bioPreview ? `${creator.bioPreview}...` : 'No bio yet.'}
        </p>
        {thumbnails.length > 0 && <Thumbnails thumbnails={thumbnails} />}
        <p
          className={classNames(
            'flex flex-wrap justify-between gap-x-3 pt-1 text-sm',
            thumbnails.length === 0 && 'mt-auto',
          )}
        >
          <Link
            to={paths.profile(creator.username)}
            viewTransition
            className="text-accent after:rounded-card font-semibold group-hover:underline after:absolute after:inset-0"
          >
            View Profile<span className="sr-only"> of {name}</span>
          </Link>
          {count > 0 && (
            <span className="text-muted">{count === 1 ? '1 offering' : `${count} offerings`}</span>
          )}
        </p>
      </div>
    </article>
  );
}

/** A preview of the offerings. It needs no text: the number beside it states how many there are. */
function Thumbnails({ thumbnails }: { thumbnails: readonly Thumbnail[] }) {
  return (
    <div className="mt-auto grid grid-cols-3 gap-1.5 pt-1 sm:gap-2">
      {thumbnails.map((thumbnail) => (
        <div
          key={thumbnail.path}
          className="bg-sunk border-line rounded-field aspect-square overflow-hidden border"
        >
          <Picture picture={thumbnail} alt="" sizes={pictureSizes.thumbnail} />
        </div>
      ))}
    </div>
  );
}

export const creatorGrid = 'grid gap-4 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4';
