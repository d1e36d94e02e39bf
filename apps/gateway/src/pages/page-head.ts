import {
  type CreatorCard,
  defaultPalette,
  displayHost,
  documentTitle,
  feedPath,
  isOnNetwork,
  oembedPath,
  displayNameOf,
  type Niche,
  type Palette,
  paletteGrounds,
  paths,
  type PublicCreator,
} from '@stoa/contracts';
import { type Html, html, scriptJson } from '../http/html.ts';
import { oneLine } from '../reads/one-line.ts';
import { cardPath, profileCard } from '../reads/preview-card.ts';

/** What a page says of itself to search engines and link previews. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path of the address that search engines should keep. */
  readonly path: string;
  readonly indexed: boolean;
  /** Path of the card that link previews show, and its words; the site's own stands in for it. */
  readonly card?: { readonly path: string; readonly alt: string };
  /** Path of the feed that the page shows, and its name. */
  readonly feed?: { readonly path: string; readonly title: string };
  /** The page may be embedded by its oEmbed description. */
  readonly embeddable?: true;
  readonly type?: 'website' | 'profile' | 'product';
  /** The colours of the creator whose page it is. */
  readonly palette?: Palette;
  /** schema.org facts, without `@context` and the page's own `url`. */
  readonly facts?: object;
}

/** The head's elements. `site` is the public address without a slash at its end. */
export function renderHead(head: PageHead, site: string): Html {
  const address = `${site}${head.path}`;
  return html`<title>${head.title}</title>
    <meta name="description" content="${head.description}" />
    ${themeColors(head.palette)}
    ${head.indexed ? html`<link rel="canonical" href="${address}" />` : html`<meta name="robots" content="noindex" />`}
    ${head.feed ? html`<link rel="alternate" type="application/atom+xml" title="${head.feed.title}" href="${site}${head.feed.path}" />` : html``}
    ${head.embeddable ? html`<link rel="alternate" type="application/json+oembed" href="${site}${oembedPath}?url=${encodeURIComponent(address)}" />` : html``}
    <meta property="og:site_name" content="Stoa" />
    <meta property="og:type" content="${head.type ?? 'website'}" />
    <meta property="og:title" content="${head.title}" />
    <meta property="og:description" content="${head.description}" />
    <meta property="og:url" content="${address}" />
    ${shareCard(head.card ?? siteCard, site)} ${head.facts ? structuredData({ url: address, ...head.facts }) : html``}`;
}

/** Of the browser's own bars: the light color first, then the dark one, as `theme.js` of the web app knows them. */
function themeColors(palette: Palette = defaultPalette): Html {
  const [light, dark] = paletteGrounds[palette];
  return html`<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)" />`;
}

/** `share.png` of the web app. */
const siteCard = { path: '/share.png', alt: 'Stoa' };

const shareCard = ({ path, alt }: NonNullable<PageHead['card']>, site: string): Html =>
  html`<meta property="og:image" content="${site}${path}" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="${alt}" />
    <meta name="twitter:card" content="summary_large_image" />
    <meta name="twitter:image" content="${site}${path}" />`;

function structuredData(facts: object): Html {
  const json = scriptJson({ '@context': 'https://schema.org', ...facts });
  return html`<script type="application/ld+json">${json}</script>`;
}

/** The head of a creator's profile. */
export function profileHead(creator: PublicCreator, mediaUrl: string): PageHead {
  const name = displayNameOf(creator);
  const path = paths.profile(creator.username);
  const { profileImage } = creator;
  const image = profileImage && `${mediaUrl}/${profileImage.path}/${Math.max(...profileImage.widths)}.webp`;
  const description = oneLine(creator.bio) || `${name} on Stoa, the commission-free home for creators.`;
  const links = [...socialLinks(creator), ...creator.links.map(({ url }) => url).filter(isLink)];
  return {
    title: documentTitle(`${name} (@${creator.username})`),
    description,
    path,
    indexed: true,
    type: 'profile',
    palette: creator.palette,
    embeddable: true,
    feed: { path: feedPath(creator.username), title: `${name} on Stoa` },
    card: { path: cardPath(profileCard(creator)), alt: `${name} (@${creator.username})` },
    facts: {
      '@type': 'ProfilePage',
      dateCreated: creator.createdAt,
      mainEntity: {
        '@type': 'Person',
        name,
        alternateName: creator.username,
        description,
        ...(image ? { image } : {}),
        ...(links.length > 0 ? { sameAs: links } : {}),
      },
    },
  };
}

/** An older record may hold another thing. */
const isLink = (url: string): boolean => displayHost(url) !== null;

/** Links that lead to their network; those of an older record may not. */
const socialLinks = ({ socialLinks: links }: PublicCreator): string[] =>
  (['youtube', 'tiktok', 'instagram'] as const).flatMap((network) => {
    const url = links[network];
    return url !== null && isOnNetwork(network, url) ? [url] : [];
  });

/** The head of the list of creators, as its first page stands, or that of one niche. */
export function browseHead(
  head: PageHead,
  cards: readonly CreatorCard[],
  site: string,
  niche?: Niche,
): PageHead {
  const facts = {
    '@type': 'CollectionPage',
    // What stands on the page of a niche is no description of the whole list.
    ...(niche ? { url: `${site}${head.path}?niche=${niche}` } : {}),
    mainEntity: {
      '@type': 'ItemList',
      itemListElement: cards.map((card, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: displayNameOf(card),
        url: `${site}${paths.profile(card.username)}`,
      })),
    },
  };
  return cards.length > 0 ? { ...head, facts } : head;
}
