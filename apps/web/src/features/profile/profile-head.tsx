import type { OwnLink, Picture as PictureFacts, PublicCreator, SocialLinks } from '@stoa/contracts';
import { mailtoLink } from '@stoa/contracts/mailto';
import { displayNameOf } from '@stoa/contracts/facts';
import { isOnNetwork } from '@stoa/contracts/links';
import { Link } from 'react-router-dom';
import { NicheTags } from '../../storefront/niche-tags.tsx';
import { paths } from '../../navigation/paths.ts';
import { pictureSizes } from '../../storefront/picture-sizes.ts';
import { ClampedText } from '../../ui/text/clamped-text.tsx';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { GlobeIcon, MailIcon } from '../../ui/icons/icons.tsx';
import { LinkHost } from '../../ui/text/link-host.tsx';
import { Picture } from '../../ui/pictures/picture.tsx';
import { OwnerLink } from './owner-link.tsx';
import { ReportLink } from './report-link.tsx';
import { ShareButton } from './share-button.tsx';
import { ownWords } from '../../ui/text/own-words.ts';
import { PersonalWords } from '../../ui/text/personal-words.tsx';

/** A header across the page. The face overlaps its edge, by header-picture.css. */
export function HeaderPicture({ picture }: { picture: PictureFacts | null }) {
  return (
    picture && (
      <div className="header-picture">
        <Picture picture={picture} alt="" sizes={pictureSizes.header} eager />
      </div>
    )
  );
}

interface ProfileProps {
  creator: PublicCreator;
  /** Set in the owner's preview, whose address cannot be shared or reported. */
  preview?: object | undefined;
}

export function ProfileHead({ creator, preview }: ProfileProps) {
  const name = displayNameOf(creator);
  return (
    <section
      aria-labelledby="creator-name"
      className="profile-head grid grid-cols-[6rem_1fr] items-center gap-x-4 gap-y-3 sm:grid-cols-[11rem_1fr] sm:grid-rows-[auto_1fr] sm:items-start sm:gap-x-8 lg:grid-cols-1 lg:grid-rows-none"
    >
      <Avatar
        picture={creator.profileImage}
        name={name}
        sizes={pictureSizes.profile}
        eager={!creator.headerImage}
        className="face shadow-card border-line rounded-b-card rounded-t-[50%] border sm:row-span-2 lg:row-auto lg:mb-2 lg:w-64"
      />
      <div className="profile-name min-w-0">
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

/** The content below the offerings. Its position is unknown until they have loaded. */
export function ProfileFoot({ creator, preview }: ProfileProps) {
  const name = displayNameOf(creator);
  return (
    <div className="border-line grid content-start gap-8 border-t pt-6 [section:has([data-skeleton])~&]:hidden">
      {creator.paygates.length > 0 && (
        <section aria-label={`Ways to support ${name}`}>
          <h2 className="mb-3 text-xl">
            Support <PersonalWords text={name} also={creator.bio} />
          </h2>
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
  // An older record may have links to other sites.
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
  links: readonly OwnLink[];
  /** Whether links show a network's icon. It depends on the address, not on the label. */
  icons?: boolean;
}

function LinkList({ label, links, icons }: LinkListProps) {
  if (links.length === 0) return null;
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
