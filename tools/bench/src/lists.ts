import { setTimeout as pause } from 'node:timers/promises';
import { type CreatorPage, Niche } from '@stoa/contracts';
import type { System } from '@stoa/system';
import { quantile } from './load.ts';
import { seededRandom, vocabulary } from './random.ts';
import { offeringsByOwner, signs, slug, username } from './rows.ts';
import { killOnce } from './starts.ts';
import { fillSystem } from './stoa.ts';

/** Number of creators with which the largest size is compared. */
const few = 1000;
/** Each path is requested once per round. The first rounds compile the code and do not count. */
const rounds = { warm: 15, counted: 40 };
/** Each round requests another page size, so that no answer is cached; up to 59 creators. */
const shortest = 5;
/**
 * The shortest duration of a round. The HTML of the browse page has one address per niche, so an address returns
 * after as many rounds: by then its cache entry (2 s) has expired.
 */
const roundMs = 300;
/** Number of pages that count at the end of a list. */
const followed = 40;
const goal = { ms: 50, ratio: 2 };

type Times = Map<string, number[]>;

/**
 * Prints the uncached answer times of each list, page and search for one visitor, among `size` creators and
 * among a thousand. Leaves `size` creators in the database.
 */
export async function measureLists(system: System, size: number): Promise<void> {
  await fillSystem(system, few);
  const small = await timesOf(system, few);
  await fillSystem(system, size);
  const large = await timesOf(system, size);
  const [fewer, more] = [few, size].map((count) => count.toLocaleString('en'));
  console.log(
    `\n| nothing in memory, one visitor | ${fewer}: median, p95 | ${more}: median, p95, worst | p95 ÷ p95 (aim ≤ ${goal.ratio}) | p95 ≤ ${goal.ms} ms |\n|---|---|---|---|---|`,
  );
  for (const [name, times] of large) {
    const before = summary(small.get(name) ?? []);
    const { median, p95, worst, count } = summary(times);
    const ratio = (p95 / before.p95).toFixed(2);
    console.log(
      `| ${name}${count < rounds.counted ? ` (${count} times)` : ''} | ${ms(before.median)}, ${ms(before.p95)} | ${ms(median)}, ${ms(p95)}, ${ms(worst)} | ${ratio} | ${p95 <= goal.ms ? 'yes' : '**no**'} |`,
    );
  }
}

async function timesOf(system: System, size: number): Promise<Times> {
  // Restarts the gateway, whose caches contain the creators of the previous data.
  await killOnce(system, 'gateway');
  const site = system.siteUrl;
  const times: Times = new Map();
  const paths = pathsOf(size);
  for (let round = 0; round < rounds.warm + rounds.counted; round += 1) {
    const next = pause(roundMs);
    for (const { name, path } of paths(round)) {
      const { ms: taken } = await ask(site, path);
      if (round >= rounds.warm) note(times, name, taken);
    }
    await next;
  }
  const pages = await follow(site, '/api/creators', 1000);
  for (const last of [followed, 100, 1000]) note(times, pagesTo(last), ...endOf(pages, last));
  const found = await follow(site, search(wordOf(4, 0)), 100);
  note(times, `${pagesTo(100)} with a common word`, ...endOf(found, 100));
  await measureSitemap(site, times);
  return times;
}

/** The paths of a round, none of them cached. */
function pathsOf(size: number): (round: number) => { name: string; path: string }[] {
  const offered = offeringsByOwner(size);
  const all = rounds.warm + rounds.counted;
  const niches = [undefined, ...Niche.options];
  const lists = listPaths(size);
  let at = 0;
  /** A creator who has not been requested yet, with one of their offerings. */
  const nextCreator = () => {
    let found: number | undefined;
    let creator = 0;
    while (found === undefined) {
      // Spread evenly over all creators, with a reserve for those without offerings.
      creator = Math.floor((at * size) / (all * 6)) % size;
      [found] = offered(creator);
      at += 1;
    }
    return { name: username(creator), offering: slug(found) };
  };
  return (round) => {
    const length = shortest + round;
    const niche = niches[round % niches.length];
    const [json, list, one, page, offeringPage] = Array.from({ length: 5 }, nextCreator);
    return [
      ...lists.map(({ name, path }) => ({
        name,
        path: `${path}${path.includes('?') ? '&' : '?'}limit=${length}`,
      })),
      {
        name: 'HTML of browse',
        path: `/browse-creators${niche ? `?niche=${encodeURIComponent(niche)}` : ''}`,
      },
      { name: 'HTML of a profile', path: `/profile/${page?.name}` },
      { name: 'HTML of an offering', path: `/profile/${offeringPage?.name}/${offeringPage?.offering}` },
      { name: 'a profile', path: `/api/creators/${json?.name}` },
      { name: 'the offerings of a creator', path: `/api/creators/${list?.name}/offerings` },
      { name: 'an offering', path: `/api/creators/${one?.name}/offerings/${one?.offering}` },
    ];
  };
}

const words = vocabulary(30_000, seededRandom(7));
const wordOf = (length: number, from: number) =>
  String(words.slice(from).find((one) => one.length === length));
const sign = (rank: number) => String(signs[rank]);
const search = (text: string) => `/api/creators?search=${encodeURIComponent(text)}`;

const listPaths = (size: number): { name: string; path: string }[] => [
  { name: 'first page', path: '/api/creators' },
  { name: 'a niche', path: '/api/creators?niche=Writer' },
  { name: 'two letters, common', path: search(wordOf(2, 0)) },
  { name: 'a common word', path: search(wordOf(4, 0)) },
  { name: 'a middling word', path: search(wordOf(6, 3000)) },
  { name: 'a rare word', path: search(wordOf(8, 20_000)) },
  { name: 'a whole username', path: search(username(Math.floor(size * 0.4711))) },
  { name: 'two words', path: search(`${words[40]} ${words[400]}`) },
  { name: 'two words, the other way round', path: search(`${words[400]} ${words[40]}`) },
  { name: 'a rare and a common word', path: search(`${wordOf(4, 0)} ${wordOf(8, 20_000)}`) },
  { name: 'two rare words', path: search(`${wordOf(8, 20_000)} ${wordOf(8, 25_000)}`) },
  { name: 'three words', path: search(`${words[4]} ${words[40]} ${words[400]}`) },
  { name: 'a letter and a word', path: search(`b ${wordOf(6, 3000)}`) },
  { name: 'two letters, rare', path: search('qz') },
  { name: 'a hyphened word', path: search(`${words[40]}-${words[400]}`) },
  { name: 'one sign, common', path: search(sign(5)) },
  { name: 'one sign, rare', path: search(sign(1990)) },
  { name: 'two signs, common', path: search(sign(5) + sign(9)) },
  { name: 'two signs, rare', path: search(sign(900) + sign(1900)) },
  { name: 'three signs', path: search(sign(5) + sign(9) + sign(40)) },
  { name: 'no match', path: search('xyzzyqw') },
  { name: 'niche and common word', path: `${search(wordOf(4, 0))}&niche=Writer` },
  { name: 'niche and rare word', path: `${search(wordOf(8, 20_000))}&niche=Writer` },
];

/** Milliseconds of each page of a list in the default page size, following its cursors. */
async function follow(site: string, first: string, pages: number): Promise<number[]> {
  const taken: number[] = [];
  for (let path: string | undefined = first; path && taken.length < pages;) {
    const answer = await ask(site, path);
    taken.push(answer.ms);
    const { nextCursor } = JSON.parse(answer.text) as CreatorPage;
    path = nextCursor ? `${first}${first.includes('?') ? '&' : '?'}cursor=${nextCursor}` : undefined;
  }
  return taken;
}

const pagesTo = (last: number) => `pages ${last - followed + 1} to ${last}`;
const endOf = (pages: readonly number[], last: number) => pages.slice(0, last).slice(-followed);

/** The first parts of the sitemap: each lists thousands of pages, and only search engines read it. */
async function measureSitemap(site: string, times: Times): Promise<void> {
  const { ms: taken, text } = await ask(site, '/sitemap.xml');
  note(times, 'sitemap', taken);
  note(times, 'a part of the sitemap');
  const parts = [...text.matchAll(/<loc>([^<]*\/sitemaps\/[^<]*)<\/loc>/g)].map(([, url]) => String(url));
  // A sitemap without parts contains all pages itself, so it counts as the only part.
  if (parts.length === 0) note(times, 'a part of the sitemap', taken);
  for (const url of parts.slice(0, rounds.counted))
    note(times, 'a part of the sitemap', (await ask(site, new URL(url).pathname)).ms);
}

async function ask(site: string, path: string): Promise<{ ms: number; text: string }> {
  const began = performance.now();
  const answer = await fetch(site + path);
  const text = await answer.text();
  const taken = performance.now() - began;
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
  if (answer.headers.has('age'))
    console.error(`${path}: a stale answer after ${ms(taken)}, because a new one took longer.`);
  return { ms: taken, text };
}

function note(times: Times, name: string, ...more: number[]): void {
  times.set(name, [...(times.get(name) ?? []), ...more]);
}

function summary(times: readonly number[]) {
  const [median, p95, worst] = [0.5, 0.95, 1].map((share) => quantile(times, share)) as [
    number,
    number,
    number,
  ];
  return { median, p95, worst, count: times.length };
}

const ms = (value: number) => (Number.isNaN(value) ? '–' : `${value.toFixed(1)} ms`);
