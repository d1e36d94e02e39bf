import type { CreatorCard as CreatorCardFacts } from '@stoa/contracts';
import { nameOf } from '@stoa/contracts/facts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { pictureSizes } from '../../picture-sizes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Tags } from '../../ui/tag.tsx';

interface CreatorCardProps {
  creator: CreatorCardFacts;
  eager: boolean;
}

export function CreatorCard({ creator, eager }: CreatorCardProps) {
  const name = nameOf(creator);
  return (
    <article className="bg-surface border-line shadow-card hover:shadow-lifted rounded-card relative flex h-full flex-col overflow-hidden border transition-shadow">
      <Avatar picture={creator.profileImage} name={name} sizes={pictureSizes.card} eager={eager} />
      <div className="flex flex-1 flex-col gap-3 p-6">
        <h2 dir="auto" className="text-2xl">
          {name}
        </h2>
        <Tags names={creator.niches} label={`Niches of ${name}`} />
        <p dir="auto" className="text-muted flex-1">
          {creator.bioPreview ? `${creator.bioPreview}...` : 'No bio yet.'}
        </p>
        <Link
          to={paths.profile(creator.username)}
          className={`${buttonClass('secondary', 'small')} after:rounded-card mt-2 after:absolute after:inset-0`}
        >
          View Profile<span className="sr-only"> of {name}</span>
        </Link>
      </div>
    </article>
  );
}
