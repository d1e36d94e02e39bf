import { type CreatorCard, firstCharacters, type PublicCreator, type PublicOffering } from '@stoa/contracts';

/** What a page says of itself before any script runs: to search engines, link previews and readers without scripts. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path of the address that search engines should keep. */
  readonly path: string;
  readonly indexed: boolean;
  /** Full address of a picture of what the page is about; the site's own stands in for it. */
  readonly image?: string;
  readonly type?: 'website' | 'profile';
  /** schema.org facts, without `@context` and the page's own `url`. */
  readonly facts?: object;
  /** The page's content as HTML for readers without scripts; made with `html`. */
  readonly content?: Html;
}

/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
}

/** HTML with every value escaped, except values that are Html themselves. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const escaped = values.map((value) => {
    if (Array.isArray(value)) return value.map(({ text }) => text).join('');
    return value instanceof Html ? value.text : escapeHtml(value);
  });
  return new Html(parts.reduce((text, part, index) => text + (escaped[index - 1] ?? '') + part));
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The head's elements. `site` is the public address without a slash at its end. */
export function renderHead(head: PageHead, site: string): Html {
  const address = `${site}${head.path}`;
  return html`<title>${head.title}</title>
    <meta name="description" content="${head.description}" />
    ${head.indexed ? html`<link rel="canonical" href="${address}" />` : html`<meta name="robots" content="noindex" />`}
    <meta property="og:site_name" content="Stoa" />
    <meta property="og:type" content="${head.type ?? 'website'}" />
    <meta property="og:title" content="${head.title}" />
    <meta property="og:description" content="${head.description}" />
    <meta property="og:url" content="${address}" />
    ${head.image ? portrait(head.image, head.title) : shareCard(site)} ${head.facts ? structuredData({ url: address, ...head.facts }) : html``}`;
}

// A portrait is about square; the wide card would cut it.
const portrait = (image: string, title: string): Html =>
  html`<meta property="og:image" content="${image}" />
    <meta property="og:image:alt" content="${title}" />
    <meta name="twitter:card" content="summary" />`;

/** The site's own picture, `share.png` of the web app. */
const shareCard = (site: string): Html =>
  html`<meta property="og:image" content="${site}/share.png" />
    <meta property="og:image:width" content="1200" />
    <meta property="og:image:height" content="630" />
    <meta property="og:image:alt" content="Stoa" />
    <meta name="twitter:card" content="summary_large_image" />`;

/** JSON for a script element: `<` is escaped so that no value can close the element. */
export function scriptJson(value: object): Html {
  return new Html(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

function structuredData(facts: object): Html {
  const json = scriptJson({ '@context': 'https://schema.org', ...facts });
  return html`<script type="application/ld+json">${json}</script>`;
}

/** The head and the content of a creator's profile. */
export function profileHead(
  creator: PublicCreator,
  offerings: readonly PublicOffering[],
  mediaUrl: string,
): PageHead {
  const name = creator.displayName || 'Unnamed Creator';
  const path = `/profile/${creator.username}`;
  const { profileImage } = creator;
  const image = profileImage && `${mediaUrl}/${profileImage.path}/${Math.max(...profileImage.widths)}.webp`;
  const description = oneLine(creator.bio) || `${name} on Stoa, the commission-free home for creators.`;
  const links = Object.values(creator.socialLinks).filter((link) => link !== null);
  return {
    title: `${name} (@${creator.username}) · Stoa`,
    description,
    path,
    indexed: true,
    type: 'profile',
    ...(image ? { image } : {}),
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
    content: html`<article>
      <h1 dir="auto">${name}</h1>
      <p>@${creator.username}</p>
      <p dir="auto">${creator.bio || "This creator hasn't written a bio yet."}</p>
      ${creator.email === null ? html`` : html`<p><a href="mailto:${creator.email}">Contact Me</a></p>`}
      ${offerings.map(
        ({ title, description: text, price, paymentUrl }) =>
          html`<section>
            <h2 dir="auto">${title}</h2>
            <p dir="auto">${text}</p>
            <p>${price}</p>
            <p><a href="${paymentUrl}" rel="noopener noreferrer nofollow">Access Now</a></p>
          </section>`,
      )}
    </article>`,
  };
}

/** The head and the content of the list of creators, as its first page stands. */
export function browseHead(head: PageHead, cards: readonly CreatorCard[], site: string): PageHead {
  const listed = cards.map(({ username, displayName, bioPreview }) => ({
    name: displayName || 'Unnamed Creator',
    path: `/profile/${username}`,
    about: bioPreview || 'No bio yet.',
  }));
  return {
    ...head,
    facts: {
      '@type': 'CollectionPage',
      mainEntity: {
        '@type': 'ItemList',
        itemListElement: listed.map(({ name, path }, index) => ({
          '@type': 'ListItem',
          position: index + 1,
          name,
          url: `${site}${path}`,
        })),
      },
    },
    content: html`<h1>Browse Creators</h1>
      <ul>
        ${listed.map(
          ({ name, path, about }) =>
            html`<li>
              <a href="${path}" dir="auto">${name}</a>
              <p dir="auto">${about}</p>
            </li>`,
        )}
      </ul>`,
  };
}

const descriptionLength = 160;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  // By characters as a person counts them: half an emoji is no text.
  const start = firstCharacters(line, descriptionLength - 1);
  return start.length < line.length ? `${start.trimEnd()}…` : line;
}
