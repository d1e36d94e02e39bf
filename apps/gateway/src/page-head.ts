import { type PublicCreator, type PublicOffering } from '@stoa/contracts';

/** What a page says of itself before any script runs: to search engines, link previews and readers without scripts. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  /** Path of the address that search engines should keep. */
  readonly path: string;
  readonly indexed: boolean;
  /** Full address of a picture. */
  readonly image?: string;
  readonly type?: 'website' | 'profile';
  /** schema.org facts, without `@context`. */
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
  const image = head.image ? html`<meta property="og:image" content="${head.image}" />` : html``;
  return html`<title>${head.title}</title>
    <meta name="description" content="${head.description}" />
    ${head.indexed ? html`<link rel="canonical" href="${address}" />` : html`<meta name="robots" content="noindex" />`}
    <meta property="og:site_name" content="Stoa" />
    <meta property="og:type" content="${head.type ?? 'website'}" />
    <meta property="og:title" content="${head.title}" />
    <meta property="og:description" content="${head.description}" />
    <meta property="og:url" content="${address}" />
    <meta name="twitter:card" content="${head.image ? 'summary_large_image' : 'summary'}" />
    ${image} ${head.facts ? structuredData(head.facts) : html``}`;
}

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
  { site, mediaUrl }: { site: string; mediaUrl: string },
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
      url: `${site}${path}`,
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
      <h1>${name}</h1>
      <p>@${creator.username}</p>
      <p>${creator.bio || "This creator hasn't written a bio yet."}</p>
      ${offerings.map(
        ({ title, description: text, price, paymentUrl }) =>
          html`<section>
            <h2>${title}</h2>
            <p>${text}</p>
            <p>${price}</p>
            <p><a href="${paymentUrl}" rel="noopener noreferrer nofollow">Access Now</a></p>
          </section>`,
      )}
    </article>`,
  };
}

const descriptionLength = 160;

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > descriptionLength ? `${line.slice(0, descriptionLength - 1).trimEnd()}…` : line;
}
