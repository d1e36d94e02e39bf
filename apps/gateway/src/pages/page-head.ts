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
  pictureUrl,
  type PublicCreator,
} from '@stoa/contracts';
import { type Html, html, scriptJson } from '../http/html.ts';
import { oneLine } from '../reads/one-line.ts';
import { cardPath, profileCard } from '../reads/preview-card.ts';

/** Metadata of a page for search engines and link previews. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path of the canonical address. */
  readonly path: string;
  readonly indexed: boolean;
  /** Path and alternative text of the picture for link previews. By default it is the picture of the site. */
  readonly card?: { readonly path: string; readonly alt: string };
  /** Path and title of the page's Atom feed. */
  readonly feed?: { readonly path: string; readonly title: string };
  /** Whether the page has an oEmbed description, by which other sites embed it. */
  readonly embeddable?: true;
  readonly type?: 'website' | 'profile' | 'product';
  readonly palette?: Palette;
  /** Structured data of schema.org, without `@context` and the address of the page. */
  readonly facts?: object;
}

/** Renders the elements for the head of a page. `site` is the public address without a trailing slash. */
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

/** Colours of the browser's own bars. `theme.js` of the web app expects the light one first. */
function themeColors(palette: Palette = defaultPalette): Html {
  const [light, dark] = paletteGrounds[palette];
  return html`<meta name="theme-color" content="${light}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)" />`;
}

/** The picture `share.png` of the web app. */
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

/** Metadata of a creator's profile. */
export function profileHead(creator: PublicCreator, mediaUrl: string): PageHead {
  const name = displayNameOf(creator);
  const path = paths.profile(creator.username);
  const { profileImage } = creator;
  const image = profileImage && pictureUrl(mediaUrl, profileImage);
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

/** Whether the text is a link. Old records, stored without validation, may contain other text. */
const isLink = (url: string): boolean => displayHost(url) !== null;

/** The links that lead to the named network. Older records may contain others. */
const socialLinks = ({ socialLinks: links }: PublicCreator): string[] =>
  (['youtube', 'tiktok', 'instagram'] as const).flatMap((network) => {
    const url = links[network];
    return url !== null && isOnNetwork(network, url) ? [url] : [];
  });

/** Metadata of the list of creators, or of one niche, with the creators on its first page. */
export function browseHead(
  head: PageHead,
  cards: readonly CreatorCard[],
  site: string,
  niche?: Niche,
): PageHead {
  const facts = {
    '@type': 'CollectionPage',
    // The list of a niche has its own address, because it is a separate page for search engines.
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
