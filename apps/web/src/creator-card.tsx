import type { CreatorCard as CreatorCardFacts } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { Link } from './link.tsx';
import { paths } from './paths.ts';
import { pictureSizes } from './picture-sizes.ts';
import { Avatar } from './ui/avatar.tsx';
import { Tags } from './ui/tag.tsx';

interface CreatorCardProps {
  creator: CreatorCardFacts;
  eager?: boolean;
}

/** Its one link is as large as the card; on a phone it is a row. */
export function CreatorCard({ creator, eager }: CreatorCardProps) {
  const name = displayNameOf(creator);
  const { offeringCount: count } = creator;
  return (
    <article className="group bg-surface border-line shadow-card hover:shadow-lifted hover:border-edge rounded-card relative grid h-full grid-cols-[6rem_1fr] overflow-hidden border transition sm:flex sm:flex-col">
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes={pictureSizes.card}
        eager={eager}
        className="max-sm:aspect-auto"
      />
      <div className="flex min-w-0 flex-1 flex-col gap-2 p-4 sm:p-5">
        <h2 dir="auto" className="text-xl">
          {name}
        </h2>
        <Tags names={creator.niches} label={`Niches of ${name}`} />
        <p dir="auto" className="text-muted line-clamp-2 text-sm sm:line-clamp-3">
          {creator.bioPreview ? `${creator.bioPreview}...` : 'No bio yet.'}
        </p>
        <p className="mt-auto flex flex-wrap justify-between gap-x-3 pt-1 text-sm">
          <Link
            to={paths.profile(creator.username)}
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

export const creatorGrid = 'grid gap-4 sm:grid-cols-2 sm:gap-5 lg:grid-cols-4';
