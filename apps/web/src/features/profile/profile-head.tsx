import type { OwnLink, Picture as PictureFacts, PublicCreator, SocialLinks } from '@stoa/contracts';
import { mailtoLink } from '@stoa/contracts/mailto';
import { displayNameOf } from '@stoa/contracts/facts';
import { isOnNetwork } from '@stoa/contracts/links';
import { Link } from '../../link.tsx';
import { NicheTags } from '../../niche-tags.tsx';
import { paths } from '../../paths.ts';
import { pictureSizes } from '../../picture-sizes.ts';
import { ClampedText } from '../../ui/clamped-text.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { GlobeIcon, MailIcon } from '../../ui/icons.tsx';
import { LinkHost } from '../../ui/link-host.tsx';
import { Picture } from '../../ui/picture.tsx';
import { OwnerLink } from './owner-link.tsx';
import { ReportLink } from './report-link.tsx';
import { ShareButton } from './share-button.tsx';
import { ownWords } from '../../ui/own-words.ts';

/** Above everything, with the face over its edge: laid out by header-picture.css. */
export function HeaderPicture({ picture }: { picture: PictureFacts | null }) {
  return (
    picture && (
      <div data-header>
        <Picture picture={picture} alt="" sizes={pictureSizes.header} eager />
      </div>
    )
  );
}

interface ProfileProps {
  creator: PublicCreator;
  /** Set for its owner alone, at an address that is none to share or report. */
  preview?: object | undefined;
}

export function ProfileHead({ creator, preview }: ProfileProps) {
  const name = displayNameOf(creator);
  return (
    <section
      aria-labelledby="creator-name"
      className="grid grid-cols-[6rem_1fr] items-center gap-x-4 gap-y-3 sm:grid-cols-[11rem_1fr] sm:grid-rows-[auto_1fr] sm:items-start sm:gap-x-8 lg:grid-cols-1 lg:grid-rows-none"
    >
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes={pictureSizes.profile}
        eager={!creator.headerImage}
        className="face shadow-card border-line rounded-b-card rounded-t-full border sm:row-span-2 lg:row-auto lg:mb-2 lg:w-64"
      />
      <div className="min-w-0">
        <h1 id="creator-name" {...ownWords(name, creator.bio)} className="text-3xl sm:text-5xl lg:text-4xl">
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
        <div className="mt-1 flex items-center gap-2 sm:mt-5 sm:flex-wrap">
          <div data-links="">
            <Socials links={creator.socialLinks} name={name} />
            <LinkList label={`Links of ${name}`} links={creator.links} icons />
          </div>
          {preview ? null : <ShareButton name={name} />}
        </div>
        <p className="mt-2 empty:hidden">
          <OwnerLink owner={creator.uid} to={paths.editProfile} label="Edit Profile" />
        </p>
      </div>
    </section>
  );
}

/** What comes after the offerings; until they are there its position is unknown. */
export function ProfileFoot({ creator, preview }: ProfileProps) {
  const name = displayNameOf(creator);
  return (
    <div className="border-line grid content-start gap-8 border-t pt-6 [section:has([data-skeleton])~&]:hidden">
      {creator.paygates.length > 0 && (
        <section aria-label={`Ways to support ${name}`}>
          <h2 className="mb-3 text-xl">Support {name}</h2>
          <LinkList
            links={creator.paygates.map((paygate) => ({
              label: paygate.name,
              url: paygate.url,
              network: null,
            }))}
          />
        </section>
      )}
      <section aria-labelledby="contact-title">
        <h2 id="contact-title" className="mb-3 text-xl">
          Get in touch
        </h2>
        <ContactMe creator={creator} />
      </section>
      <p>{preview ? null : <ReportLink />}</p>
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
    <a href={mailtoLink(email)} className={look}>
      {label}
    </a>
  );
}

function Socials({ links, name }: { links: SocialLinks; name: string }) {
  const all = [
    ['youtube', 'YouTube'],
    ['tiktok', 'TikTok'],
    ['instagram', 'Instagram'],
  ] as const;
  // An older record may lead elsewhere.
  const set = all.filter(([network]) => isOnNetwork(network, links[network] ?? ''));
  if (set.length === 0) return null;
  return (
    <ul aria-label={`${name} elsewhere`} className="-ml-3 flex gap-1">
      {set.map(([network, site]) => (
        <li key={network}>
          <a
            href={links[network] ?? undefined}
            target="_blank"
            rel="noopener noreferrer nofollow"
            aria-label={`${site} (opens in a new tab)`}
            className="text-muted hover:bg-accent-soft hover:text-accent-strong grid size-11 place-items-center rounded-full transition-colors"
          >
            <span data-network={network} />
          </a>
        </li>
      ))}
    </ul>
  );
}

interface LinkListProps {
  label?: string;
  /** Absent in an answer of the release before. */
  links: readonly OwnLink[] | undefined;
  /** Where a link leads to a network, its icon; only then, whatever it is called. */
  icons?: boolean;
}

function LinkList({ label, links, icons }: LinkListProps) {
  if (!links?.length) return null;
  return (
    <ul aria-label={label} data-chips="" className="flex flex-wrap gap-2">
      {links.map((link, index) => (
        <li key={index} className="max-w-full">
          <a
            href={link.url}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className={`${buttonClass('secondary', 'small')} max-w-full py-1`}
          >
            {icons && (link.network ? <span data-network={link.network} /> : <GlobeIcon />)}
            <div className="min-w-0">
              <div {...ownWords(link.label)} className="leading-snug [overflow-wrap:anywhere]">
                {link.label}
              </div>
              <LinkHost url={link.url} label={link.label} />
            </div>
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
