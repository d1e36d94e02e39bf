import {
  defaultPalette,
  displayNameOf,
  documentTitle,
  languageOf,
  paths,
  type Picture,
  pictureUrl,
  type PublicCreator,
  type PublicOffering,
} from '@stoa/contracts';
import { embedStyle } from '../http/embed-style.ts';
import { Html, html } from '../http/html.ts';
import { oneLine } from '../reads/one-line.ts';

const shownOfferings = 3;

/** Renders a profile for embedding in other sites: picture, name and first offerings. Links open outside the frame. */
export function embedPage(
  creator: PublicCreator,
  offerings: readonly PublicOffering[],
  { site, mediaUrl }: { readonly site: string; readonly mediaUrl: string },
): string {
  const name = displayNameOf(creator);
  const profile = site + paths.profile(creator.username);
  const { palette = defaultPalette } = creator;
  return html`<!doctype html>
    <html lang="en" data-palette="${palette}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="canonical" href="${profile}" />
        <title>${documentTitle(`${name} (@${creator.username})`)}</title>
        ${new Html(`<style>${embedStyle}</style>`)}
      </head>
      <body>
        <main>
          <header>
            <a href="${profile}" target="_blank" rel="noopener">
              ${picture(creator.profileImage, mediaUrl, 144)}
              <div>
                <h1 dir="auto" lang="${languageOf(name, creator.bio)}">${name}</h1>
                <p class="muted">@${creator.username}</p>
              </div>
            </a>
          </header>
          ${creator.bio.trim() ? html`<p class="muted" dir="auto" lang="${languageOf(creator.bio)}">${oneLine(creator.bio)}</p>` : html``}
          <ul>
            ${offerings.slice(0, shownOfferings).map((offering) => item(offering, creator, { site, mediaUrl }))}
          </ul>
          <a class="all" href="${profile}" target="_blank" rel="noopener">View on Stoa</a>
        </main>
      </body>
    </html>`.text;
}

const item = (
  { title, description, price, slug, coverImage }: PublicOffering,
  { username }: PublicCreator,
  { site, mediaUrl }: { readonly site: string; readonly mediaUrl: string },
): Html =>
  html`<li>
    <a href="${site}${paths.offering(username, slug)}" target="_blank" rel="noopener">
      ${picture(coverImage, mediaUrl, 128)}
      <span><strong dir="auto" lang="${languageOf(title, description)}">${title}</strong><span class="muted" dir="auto" lang="${languageOf(price)}">${price}</span></span>
    </a>
  </li>`;

function picture(shown: Picture | null, mediaUrl: string, leastWidth: number): Html {
  if (!shown) return html`<span class="none"></span>`;
  const widths = shown.widths.toSorted((a, b) => a - b);
  const width = widths.find((each) => each >= leastWidth) ?? widths.at(-1) ?? shown.width;
  const address = pictureUrl(mediaUrl, shown, { width });
  return shown.isTransparent
    ? html`<img src="${address}" alt="" class="transparent" loading="lazy" />`
    : html`<img src="${address}" alt="" loading="lazy" />`;
}
