import {
  displayNameOf,
  feedPath,
  languageOf,
  offeringTypeLabels,
  paths,
  pictureUrl,
  type PublicCreator,
  type PublicOffering,
  withoutFormat,
} from '@stoa/contracts';
import { type Html, html } from '../http/html.ts';

/** Enough for a feed reader that polls once a week. The profile page lists all offerings. */
const maxEntries = 50;

/** Addresses of the site and of pictures, without a trailing slash. */
export interface FeedPlace {
  readonly site: string;
  readonly mediaUrl: string;
}

/** Renders a creator's offerings as an Atom feed (RFC 4287), latest first. */
export function profileFeed(
  creator: PublicCreator,
  offerings: readonly PublicOffering[],
  { site, mediaUrl }: FeedPlace,
): string {
  const newest = offerings.toSorted((a, b) => (since(a) < since(b) ? 1 : -1)).slice(0, maxEntries);
  const name = displayNameOf(creator);
  const profile = site + paths.profile(creator.username);
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${creator.uid}</id>
<title>${name} on Stoa</title>
${creator.bio.trim() ? html`<subtitle${languageAttribute(creator.bio)}>${creator.bio.trim()}</subtitle>\n` : html``}<updated>${newest[0] ? since(newest[0]) : creator.createdAt}</updated>
<author><name>${name}</name><uri>${profile}</uri></author>
<link rel="self" type="application/atom+xml" href="${site}${feedPath(creator.username)}"/>
<link rel="alternate" type="text/html" href="${profile}"/>
${newest.map((offering) => entry(offering, site + paths.offering(creator.username, offering.slug), mediaUrl, creator.bio))}</feed>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${feed.text.replace(notXml, '')}\n`;
}

/** The date by which feed readers sort: the publication, because a draft may be months old. */
const since = ({ publishedAt, createdAt }: PublicOffering): string => publishedAt ?? createdAt;

function entry(offering: PublicOffering, address: string, mediaUrl: string, bio: string): Html {
  const { id, title, description, price, type, coverImage, schedule } = offering;
  const cover = coverImage && pictureUrl(mediaUrl, coverImage);
  const words = [price, schedule?.text ?? '', withoutFormat(description)]
    .filter((each) => each.trim())
    .join('\n\n');
  return html`<entry>
<id>urn:uuid:${id}</id>
<title${languageAttribute(title, description, bio)}>${title}</title>
<updated>${since(offering)}</updated>
<published>${since(offering)}</published>
<link rel="alternate" type="text/html" href="${address}"/>
${type ? html`<category term="${type}" label="${offeringTypeLabels[type]}"/>\n` : html``}${cover ? html`<link rel="enclosure" type="image/webp" href="${cover}"/>\n` : html``}<summary${languageAttribute(description, title, bio)}>${words}</summary>
</entry>\n`;
}

/** The `xml:lang` attribute for a text; empty if the language of Latin letters is uncertain. */
function languageAttribute(text: string, ...others: string[]): Html {
  const language = languageOf(text, ...others);
  return language ? html` xml:lang="${language}"` : html``;
}

/** Characters that XML 1.0 forbids even in escaped form. Readers reject a feed that contains one. */
const notXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
