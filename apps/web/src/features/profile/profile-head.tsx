import type { PublicCreator, SocialLinks } from '@stoa/contracts';
import { nameOf } from '@stoa/contracts/facts';
import { isOn } from '@stoa/contracts/links';
import { useSession } from '../../auth/session.ts';
import { Link } from '../../link.tsx';
import { paths } from '../../paths.ts';
import { pictureSizes } from '../../picture-sizes.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { InstagramIcon, MailIcon, TikTokIcon, YouTubeIcon } from '../../ui/icons.tsx';
import { Tags } from '../../ui/tag.tsx';
import { LinkHost } from './link-host.tsx';
import { ShareButton } from './share-button.tsx';

export function ProfileHead({ creator }: { creator: PublicCreator }) {
  const name = nameOf(creator);
  const session = useSession();
  const isOwn = session.status === 'signed-in' && session.uid === creator.uid;
  return (
    <section aria-labelledby="creator-name" className="flex flex-col gap-8 sm:flex-row sm:gap-10">
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes={pictureSizes.profile}
        eager
        className="shadow-card border-line rounded-b-card w-44 shrink-0 self-start rounded-t-full border sm:w-56"
      />
      <div className="min-w-0 flex-1">
        <h1 id="creator-name" dir="auto" className="text-5xl">
          {name}
        </h1>
        <p className="text-muted mt-2">@{creator.username}</p>
        <div className="mt-4">
          <Tags names={creator.niches} label="Niches" />
        </div>
        <p dir="auto" className="mt-5 max-w-prose whitespace-pre-line">
          {creator.bio || "This creator hasn't written a bio yet."}
        </p>
        <div className="mt-7 flex flex-wrap items-center gap-3">
          <ContactMe creator={creator} />
          <ShareButton name={name} />
          {isOwn && (
            <Link to={paths.editProfile} className={buttonClass('secondary', 'small')}>
              Edit Profile
            </Link>
          )}
          <Socials links={creator.socialLinks} name={name} />
        </div>
        <Paygates creator={creator} name={name} />
      </div>
    </section>
  );
}

function ContactMe({ creator: { email, username } }: { creator: PublicCreator }) {
  const look = buttonClass('primary', 'small');
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
  const set = all.filter(([network]) => isOn(network, links[network] ?? ''));
  if (set.length === 0) return null;
  return (
    <ul aria-label={`${name} elsewhere`} className="flex gap-1">
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
    <section aria-label={`Ways to support ${name}`} className="border-line mt-7 border-t pt-5">
      <h2 className="text-xl">Support {name}</h2>
      <ul className="mt-3 flex flex-wrap gap-2">
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
