import { isOn, nameOf, paths, type Picture, type PublicCreator, type PublicOffering } from '@stoa/contracts';
import { type Html, html } from '../http/html.ts';

/**
 * A profile for readers without scripts, in the words of the web app. Without `offerings`, which may not be readable
 * for now, it says nothing of them: that there are none would be untrue.
 */
export function profileContent(
  creator: PublicCreator,
  offerings: readonly PublicOffering[] | undefined,
  mediaUrl: string,
): Html {
  const name = nameOf(creator);
  const socials = socialLinks(creator).map(({ site, url }) => outward(url, site));
  const paygates = creator.paygates.map(({ name: label, url }) => outward(url, label));
  return html`<article>
    ${creator.profileImage ? image(creator.profileImage, name, mediaUrl) : html``}
    <h1 dir="auto">${name}</h1>
    <p>@${creator.username}</p>
    ${list(
      'Niches',
      creator.niches.map((niche) => html`${niche}`),
    )}
    <p dir="auto" class="lines">${creator.bio || "This creator hasn't written a bio yet."}</p>
    <p><a href="${contactAddress(creator)}">Contact Me</a></p>
    ${list(`${name} elsewhere`, socials)}
    ${
      paygates.length > 0
        ? html`<section>
            <h2 dir="auto">Support ${name}</h2>
            ${list(`Ways to support ${name}`, paygates)}
          </section>`
        : html``
    }
    ${offerings ? offeringsSection(creator, offerings, mediaUrl) : html``}
  </article>`;
}

const networks = [
  ['youtube', 'YouTube'],
  ['tiktok', 'TikTok'],
  ['instagram', 'Instagram'],
] as const;

/** Links that lead to their network; those of an older record may not. */
export function socialLinks({ socialLinks: links }: PublicCreator): { site: string; url: string }[] {
  return networks.flatMap(([network, site]) => {
    const url = links[network];
    return url !== null && isOn(network, url) ? [{ site, url }] : [];
  });
}

const contactAddress = ({ email, username }: PublicCreator): string =>
  email === null ? paths.contactCreator(username) : `mailto:${email}`;

function offeringsSection(
  { username }: PublicCreator,
  offerings: readonly PublicOffering[],
  mediaUrl: string,
): Html {
  const cards = offerings.map(
    ({ title, description, price, coverImage, slug, ...sold }) =>
      html`<section>
        ${coverImage ? cover(coverImage, mediaUrl) : html``}
        <h3><a href="${paths.offering(username, slug)}" dir="auto">${title}</a></h3>
        <p dir="auto" class="lines">${description}</p>
        <p dir="auto">${price}</p>
        <p>${wayToPay(sold)}</p>
      </section>`,
  );
  return html`<section>
    <h2>Offerings</h2>
    ${cards.length > 0 ? cards : html`<p>This creator has not added any offerings yet.</p>`}
  </section>`;
}

/** Where an offering is bought, or that it is sold out. */
export function wayToPay({ state, paymentUrl }: Pick<PublicOffering, 'state' | 'paymentUrl'>): Html {
  return state === 'sold_out' ? html`Sold out` : outward(paymentUrl, 'Access Now');
}

/** A link to another site; what is no web address stays words, whatever an older record holds. */
function outward(url: string, label: string): Html {
  if (!/^https?:\/\//i.test(url)) return html`<span dir="auto">${label}</span>`;
  return html`<a href="${url}" rel="noopener noreferrer nofollow" dir="auto">${label}</a>`;
}

function list(label: string, items: Html[]): Html {
  if (items.length === 0) return html``;
  return html`<ul aria-label="${label}">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;
}

/** The picture of an offering, beside whose title it says nothing. */
export const cover = (picture: Picture, mediaUrl: string): Html => image(picture, '', mediaUrl);

/** Wide enough for a column of text on a sharp screen. */
const imageWidth = 480;

function image({ path, widths, width, height }: Picture, alt: string, mediaUrl: string): Html {
  const file = widths.toSorted((a, b) => a - b).find((one) => one >= imageWidth) ?? Math.max(...widths);
  return html`<img
    src="${mediaUrl}/${path}/${String(file)}.webp"
    alt="${alt}"
    width="${String(width)}"
    height="${String(height)}"
    loading="lazy"
  />`;
}
