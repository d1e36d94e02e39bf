import type { Creator } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { Link } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';
import { Avatar, faceShape } from '../../ui/pictures/avatar.tsx';
import { ownWords } from '../../ui/text/own-words.ts';

const link =
  'inline-flex min-h-9 items-center sm:min-h-11 text-sm font-semibold text-accent hover:text-accent-strong hover:underline';

export function ProfileSummary({ creator }: { creator: Creator }) {
  const name = displayNameOf(creator);
  return (
    <section
      aria-labelledby="summary-name"
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4"
    >
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes="5rem"
        eager
        className={`border-line size-16 self-start border sm:row-span-2 sm:size-20 ${faceShape}`}
      />
      <div className="min-w-0">
        <h2
          id="summary-name"
          {...ownWords(name, creator.bio)}
          className="line-clamp-2 text-xl leading-tight sm:text-2xl"
        >
          {name}
        </h2>
        <p className="text-muted truncate text-sm">@{creator.username}</p>
        <p {...(creator.bio ? ownWords(creator.bio) : {})} className="line-clamp-1 text-sm">
          {creator.bio || 'No bio yet.'}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-5 max-sm:col-span-2 max-sm:mt-1">
        <Link to={paths.profile(creator.username)} className={link}>
          View My Public Profile
        </Link>
        {!creator.isPublic && (
          <Link to={previewPaths.profile} className={link}>
            Preview My Profile
          </Link>
        )}
        <Link to={paths.editProfile} className={link}>
          Edit Profile
        </Link>
        <Link to={paths.account} className={link}>
          Account and Security
        </Link>
      </div>
    </section>
  );
}
