import type { Creator } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { previewPaths } from '@stoa/contracts/preview-pages';
import { Link } from 'react-router-dom';
import { paths } from '../../navigation/paths.ts';
import { Avatar, faceShape } from '../../ui/pictures/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { ownWords } from '../../ui/text/own-words.ts';

export function ProfileSummary({ creator }: { creator: Creator }) {
  const name = displayNameOf(creator);
  return (
    <section
      aria-labelledby="summary-name"
      className="bg-surface border-line shadow-card rounded-card grid justify-items-center gap-3 border p-7 text-center"
    >
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes="8rem"
        eager
        className={`border-line size-32 border ${faceShape}`}
      />
      <h2 id="summary-name" {...ownWords(name, creator.bio)} className="text-2xl">
        {name}
      </h2>
      <p className="text-muted -mt-2 text-sm">@{creator.username}</p>
      <p {...(creator.bio ? ownWords(creator.bio) : {})} className="line-clamp-4 whitespace-pre-line">
        {creator.bio || 'No bio yet.'}
      </p>
      <div className="mt-3 grid w-full gap-2 sm:flex sm:flex-wrap sm:justify-center lg:grid">
        <Link to={paths.profile(creator.username)} className={buttonClass('secondary', 'small')}>
          View My Public Profile
        </Link>
        {!creator.isPublic && (
          <Link to={previewPaths.profile} className={buttonClass('quiet', 'small')}>
            Preview My Profile
          </Link>
        )}
        <Link to={paths.editProfile} className={buttonClass('quiet', 'small')}>
          Edit Profile
        </Link>
        <Link to={paths.account} className={buttonClass('quiet', 'small')}>
          Account and Security
        </Link>
      </div>
    </section>
  );
}
