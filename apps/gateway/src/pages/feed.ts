import {
  displayNameOf,
  feedPath,
  languageOf,
  offeringTypeLabels,
  paths,
  type PublicCreator,
  type PublicOffering,
  withoutFormat,
} from '@stoa/contracts';
import { type Html, html } from '../http/html.ts';

/** Enough for a reader that comes once a week; the page has them all. */
const mostEntries = 50;

/** What is around a feed: where the pages are, and the pictures. Both without a slash at the end. */
export interface FeedPlace {
  readonly site: string;
  readonly mediaUrl: string;
}

/** An Atom feed (RFC 4287) of what a creator offers, what was published last first. */
export function profileFeed(
  creator: PublicCreator,
  offerings: readonly PublicOffering[],
  { site, mediaUrl }: FeedPlace,
): string {
  const newest = offerings.toSorted((a, b) => (since(a) < since(b) ? 1 : -1)).slice(0, mostEntries);
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

/** When visitors saw it first. A draft may be older by months, and readers sort by this. */
const since = ({ publishedAt, createdAt }: PublicOffering): string => publishedAt ?? createdAt;

function entry(offering: PublicOffering, address: string, mediaUrl: string, bio: string): Html {
  const { id, title, description, price, type, coverImage, schedule } = offering;
  const cover = coverImage && `${mediaUrl}/${coverImage.path}/${Math.max(...coverImage.widths)}.webp`;
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

/** The language of a creator's words where more is known of it than that its letters are Latin. */
function languageAttribute(text: string, ...others: string[]): Html {
  const language = languageOf(text, ...others);
  return language ? html` xml:lang="${language}"` : html``;
}

/** What XML 1.0 has no place for, not even escaped: one such letter and no reader takes the feed. */
const notXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
