import { Niche, searchLines } from '@stoa/contracts';
import { byRank, seededRandom, vocabulary } from './random.ts';

const picture = (path: string) => ({
  id: '00000000-0000-4000-8000-000000000001',
  path: `${path}/bench/picture`,
  widths: [160, 320, 640],
  width: 640,
  height: 640,
  color: '#aa8866',
});
const links = { youtube: null, tiktok: null, instagram: 'https://www.instagram.com/bench' };
const paygates = [{ name: 'Tips', url: 'https://tips.example.com/bench' }];
const deliveryKey = 'k'.repeat(32);
const start = Date.UTC(2024, 0, 1);
const spacingMs = 60_000;

export type Row = readonly (string | number | null)[];

const uuid = (kind: number, position: number) =>
  `${((position * 2_654_435_761) % 4_294_967_296).toString(16).padStart(8, '0')}-0000-4000-8${kind}00-${position.toString(16).padStart(12, '0')}`;

/** The account's id; spread over the range of ids like random ones. */
const creatorId = (position: number) => uuid(0, position);
const offeringId = (position: number) => uuid(1, position);
export const slug = (position: number) => `offering-${position}`;
export const username = (position: number) => `creator-${position}`;

/** `size` creators, three in four of them complete. Words of the bios have the frequencies of a language. */
export function* creatorRows(size: number, offerings: OfferingsOf): Generator<Row> {
  const random = seededRandom(7);
  const words = vocabulary(30_000, random);
  const niches = Niche.options;
  for (let position = 0; position < size; position += 1) {
    const isEmpty = random() < 0.25;
    const length = isEmpty ? 0 : 8 + Math.floor(random() * 50);
    const latin = Array.from({ length }, () => byRank(words, random)).join(' ');
    const bio = position % 10 === 3 && !isEmpty ? `${latin} ${unspaced(position)}` : latin;
    const displayName = `${byRank(words, random)} ${byRank(words, random)}`;
    const name = username(position);
    const offered = offerings(position);
    const niche = isEmpty ? '' : byRank(niches, random);
    const titles = offered.map((offering) => searchLines([title(offering)])).join('\n');
    const forms = [name, name.replaceAll('-', ' '), name.replaceAll('-', '')].map((form) => ` ${form}`);
    const text = [searchLines([displayName, bio, niche]), ...forms].join('\n');
    const made = new Date(start + position * spacingMs).toISOString();
    yield [
      creatorId(position),
      name,
      `${name}@example.test`,
      displayName,
      bio,
      isEmpty ? null : JSON.stringify(picture('profile_pictures')),
      JSON.stringify(paygates),
      JSON.stringify(links),
      `{${niche}}`,
      folded + [text, ...(titles ? [titles] : [])].join('\u001F'),
      titles,
      't',
      't',
      offered.length,
      made,
      made,
    ];
  }
}

export const creatorColumns =
  'uid, username, email, display_name, bio, profile_image, paygates, social_links, niches, search_text, title_text, email_verified, published, offering_count, created_at, updated_at';

/** The beginning of creators' search text (search-text.ts in creators). */
const folded = '\u001e\u001e';

/** Han characters, the most common first. */
export const signs = Array.from({ length: 2000 }, (_, index) =>
  String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
);

/** Some words of a script without spaces, with the character frequencies of a language. */
function unspaced(position: number): string {
  const random = seededRandom(position);
  const length = 10 + Math.floor(random() * 90);
  return Array.from({ length }, () => byRank(signs, random)).join('');
}

const titleWords = vocabulary(30_000, seededRandom(7));

/** One to six words, with the same frequencies as in a bio. */
function title(offering: number): string {
  const random = seededRandom(offering);
  const length = 1 + Math.floor(random() * 6);
  return Array.from({ length }, () => byRank(titleWords, random)).join(' ');
}

/** The owner of each offering; three offerings per creator on average. */
function* owners(size: number): Generator<[offering: number, owner: number]> {
  const random = seededRandom(7);
  for (let offering = 0; offering < size * 3; offering += 1) yield [offering, Math.floor(random() * size)];
}

/** Returns the offerings of a creator, by their positions. */
export type OfferingsOf = (creator: number) => number[];

/** Computes the offerings of all creators in one pass. */
export function offeringsByOwner(size: number): OfferingsOf {
  const ends = new Uint32Array(size + 1);
  for (const [, owner] of owners(size)) ends[owner + 1] = (ends[owner + 1] ?? 0) + 1;
  for (let owner = 0; owner < size; owner += 1) ends[owner + 1] = (ends[owner + 1] ?? 0) + (ends[owner] ?? 0);
  const next = ends.slice();
  const sorted = new Uint32Array(size * 3);
  for (const [offering, owner] of owners(size)) {
    const place = next[owner] ?? 0;
    sorted[place] = offering;
    next[owner] = place + 1;
  }
  return (creator) => [...sorted.subarray(ends[creator], ends[creator + 1])];
}

export function* countRows(size: number, offerings: OfferingsOf): Generator<Row> {
  for (let creator = 0; creator < size; creator += 1) yield [creatorId(creator), offerings(creator).length];
}

export const countColumns = 'creator_id, count';

/** The titles of offerings in the search index of creators. */
export function* titleRows(size: number): Generator<Row> {
  for (const [offering, owner] of owners(size))
    yield [offeringId(offering), creatorId(owner), folded + searchLines([title(offering)]), 1];
}

export const titleColumns = 'offering_id, creator_id, search_text, version';

export function* offeringRows(size: number): Generator<Row> {
  const cover = JSON.stringify(picture('offering_images'));
  for (const [position, owner] of owners(size)) {
    const made = new Date(start + position * 20_000).toISOString();
    const price = `R${50 + (position % 900)}`;
    yield [
      offeringId(position),
      creatorId(owner),
      title(position),
      slug(position),
      'Twelve letters on how to see, one each month, with exercises for the eye and for the hand.',
      price,
      'eBook',
      `https://pay.example.com/${position}`,
      'published',
      deliveryKey,
      cover,
      made,
      made,
    ];
  }
}

export const offeringColumns =
  'id, creator_id, title, slug, description, price, type, payment_url, state, delivery_key, cover_image, created_at, updated_at';

export function* slugRows(size: number): Generator<Row> {
  for (const [position, owner] of owners(size))
    yield [creatorId(owner), slug(position), offeringId(position)];
}

export const slugColumns = 'creator_id, slug, offering_id';
