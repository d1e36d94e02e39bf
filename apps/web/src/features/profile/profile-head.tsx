import type { PublicCreator, SocialLinks } from '@stoa/contracts';
import { displayNameOf } from '@stoa/contracts/facts';
import { isOnNetwork } from '@stoa/contracts/links';
import { useSession } from '../../auth/session.ts';
import { Link } from '../../link.tsx';
import { NicheTags } from '../../niche-tags.tsx';
import { paths } from '../../paths.ts';
import { pictureSizes } from '../../picture-sizes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { InstagramIcon, MailIcon, TikTokIcon, YouTubeIcon } from '../../ui/icons.tsx';
import { ClampedText } from './clamped-text.tsx';
import { LinkHost } from './link-host.tsx';
import { ReportLink } from './report-link.tsx';
import { ShareButton } from './share-button.tsx';

export function ProfileHead({ creator }: { creator: PublicCreator }) {
  const name = displayNameOf(creator);
  const session = useSession();
  const isOwn = session.status === 'signed-in' && session.uid === creator.uid;
  return (
    <section
      aria-labelledby="creator-name"
      className="grid grid-cols-[6rem_1fr] items-center gap-x-4 gap-y-3 sm:grid-cols-[11rem_1fr] sm:grid-rows-[auto_1fr] sm:items-start sm:gap-x-8 lg:grid-cols-1 lg:grid-rows-none"
    >
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes={pictureSizes.profile}
        eager
        className="face shadow-card border-line rounded-b-card rounded-t-full border sm:row-span-2 lg:row-auto lg:mb-2 lg:w-64"
      />
      <div className="min-w-0">
        <h1 id="creator-name" dir="auto" className="text-3xl sm:text-5xl lg:text-4xl">
          {name}
        </h1>
        <p className="text-muted mt-1 mb-2 sm:mb-3">@{creator.username}</p>
        <NicheTags names={creator.niches} label="Niches" />
      </div>
      <div className="col-span-full min-w-0 sm:col-span-1 sm:col-start-2 lg:col-start-1">
        <ClampedText
          text={creator.bio || "This creator hasn't written a bio yet."}
          of={name}
          clamp="sm:line-clamp-6 lg:line-clamp-10"
          wideLength={300}
          className="max-w-prose"
        />
        <div className="mt-1 flex flex-wrap items-center gap-2 sm:mt-5">
          <Socials links={creator.socialLinks} name={name} />
          <ShareButton name={name} />
          {isOwn && (
            <Link to={paths.editProfile} className={buttonClass('secondary', 'small')}>
              Edit Profile
            </Link>
          )}
        </div>
      </div>
    </section>
  );
}

/** What comes after the offerings; until they are there its position is unknown. */
export function ProfileFoot({ creator }: { creator: PublicCreator }) {
  const name = displayNameOf(creator);
  return (
    <div className="border-line grid content-start gap-8 border-t pt-6 [section:has([data-skeleton])~&]:hidden">
      <Paygates creator={creator} name={name} />
      <section aria-labelledby="contact-title">
        <h2 id="contact-title" className="mb-3 text-xl">
          Get in touch
        </h2>
        <ContactMe creator={creator} />
      </section>
      <p>
        <ReportLink />
      </p>
    </div>
  );
}

function ContactMe({ creator: { email, username } }: { creator: PublicCreator }) {
  const look = buttonClass('secondary', 'small');
  const label = (
    <>
      <MailIcon /> Contact Me
    </>
  );
  if (email === null) {
    return (
      <Link to={paths.contactCreator(username)} className={look}>
        {label}
      </Link>
    );
  }
  return (
    <a href={`mailto:${email}`} className={look}>
      {label}
    </a>
  );
}

function Socials({ links, name }: { links: SocialLinks; name: string }) {
  const all = [
    ['youtube', 'YouTube', <YouTubeIcon />],
    ['tiktok', 'TikTok', <TikTokIcon />],
    ['instagram', 'Instagram', <InstagramIcon />],
  ] as const;
  // An older record may lead elsewhere.
  const set = all.filter(([network]) => isOnNetwork(network, links[network] ?? ''));
  if (set.length === 0) return null;
  return (
    <ul aria-label={`${name} elsewhere`} className="-ml-3 flex gap-1">
      {set.map(([network, site, icon]) => (
        <li key={network}>
          <a
            href={links[network] ?? undefined}
            target="_blank"
            rel="noopener noreferrer nofollow"
            aria-label={`${site} (opens in a new tab)`}
            className="text-muted hover:bg-accent-soft hover:text-accent-strong grid size-11 place-items-center rounded-full transition-colors"
          >
            {icon}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Paygates({ creator, name }: { creator: PublicCreator; name: string }) {
  if (creator.paygates.length === 0) return null;
  return (
    <section aria-label={`Ways to support ${name}`}>
      <h2 className="mb-3 text-xl">Support {name}</h2>
      <ul className="flex flex-wrap gap-x-2 gap-y-3">
        {creator.paygates.map((paygate, index) => (
          <li key={index} className="max-w-full">
            <a
              href={paygate.url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className={`${buttonClass('secondary', 'small')} max-w-full py-2`}
            >
              <span className="min-w-0 [overflow-wrap:anywhere]">{paygate.name}</span>
              <span className="sr-only"> (opens in a new tab)</span>
            </a>
            <LinkHost url={paygate.url} label={paygate.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}
