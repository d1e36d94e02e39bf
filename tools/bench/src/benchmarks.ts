import type { Side } from './load.ts';
import { seededRandom, vocabulary } from './random.ts';
import { username } from './rows.ts';

export interface Sites {
  readonly stoa: string;
  readonly direct: string;
  readonly size: number;
  /** Access tokens of creators for editing their own profiles. */
  readonly owners: readonly { readonly username: string; readonly token: string }[];
}

export interface Benchmark {
  readonly name: string;
  readonly title: string;
  /** The goal is at least this ratio. */
  readonly goal?: number;
  /** Limit of the p99, as a multiple of the direct program's or in milliseconds. */
  readonly p99?: { readonly timesDirect: number } | { readonly ms: number };
  readonly connections: number;
  readonly sides: (sites: Sites) => { stoa: Side; direct: Side };
  /** Paths to request once before the measurement, so that Stoa has cached them. */
  readonly warm?: (sites: Sites) => string[];
}

const get = (url: string, path: () => string, headers = {}): Side => ({
  url,
  next: () => ({ method: 'GET', path: path(), headers }),
});
const browserHeaders = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const profileOf = (position: number) => `/api/creators/${username(position)}`;

/** Random paths among the first `count` creators, the same ones for both sides. */
function randomProfiles(count: number) {
  const random = seededRandom(11);
  return () => profileOf(Math.floor(random() * count));
}

/** The same requests for both sides, each with a sequence of its own. */
const same =
  (path: (sites: Sites) => () => string) =>
  (sites: Sites): { stoa: Side; direct: Side } => ({
    stoa: get(sites.stoa, path(sites)),
    direct: get(sites.direct, path(sites)),
  });

const known = (size: number) => Math.min(size, 10_000);

function edits({ stoa, direct, owners }: Sites): { stoa: Side; direct: Side } {
  const words = vocabulary(2000, seededRandom(3));
  const side = (url: string, request: (owner: Sites['owners'][number]) => object): Side => {
    let count = 0;
    return {
      url,
      explains: true,
      next: () => {
        count += 1;
        const owner = owners[count % owners.length];
        if (!owner) throw new Error('No owner has a token.');
        const bio = words.slice(count % 1900, (count % 1900) + 40).join(' ');
        const body = JSON.stringify({ ...form, displayName: `Edit ${count}`, bio });
        return {
          method: 'PUT' as const,
          body,
          headers: { 'content-type': 'application/json' },
          ...request(owner),
        };
      },
    };
  };
  return {
    stoa: side(stoa, ({ token }) => ({
      path: '/api/me/profile',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })),
    direct: side(direct, (owner) => ({ path: `/api/creators/${owner.username}` })),
  };
}

const form = {
  niches: [],
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  profileImageId: null,
};

export const benchmarks: readonly Benchmark[] = [
  // Runs first, because the owners' tokens are valid for five minutes.
  {
    name: 'edit',
    title: "owner's edit of a profile, its event recorded",
    goal: 0.5,
    connections: 8,
    sides: edits,
  },
  {
    name: 'profile-hot',
    title: 'profile JSON, one name',
    goal: 2,
    p99: { timesDirect: 1 },
    connections: 32,
    sides: same(() => () => profileOf(1)),
    warm: () => [profileOf(1)],
  },
  {
    name: 'profile-10000',
    title: 'profile JSON, 10,000 names at random, in memory',
    goal: 2,
    p99: { timesDirect: 1 },
    connections: 32,
    sides: same(({ size }) => randomProfiles(known(size))),
    warm: ({ size }) => Array.from({ length: known(size) }, (_, position) => profileOf(position)),
  },
  {
    name: 'profile-all',
    title: 'profile JSON, all names at random',
    goal: 0.65,
    p99: { timesDirect: 2 },
    connections: 32,
    sides: same(({ size }) => randomProfiles(size)),
  },
  {
    name: 'profile-all-256',
    title: 'the same over 256 connections',
    p99: { ms: 500 },
    connections: 256,
    sides: same(({ size }) => randomProfiles(size)),
  },
  {
    name: 'browse-first',
    title: 'first page of browse',
    goal: 2,
    p99: { timesDirect: 1 },
    connections: 32,
    sides: same(() => () => '/api/creators'),
    warm: () => ['/api/creators'],
  },
  {
    name: 'profile-html',
    title: "HTML of a profile ÷ the direct program's JSON",
    goal: 1.5,
    p99: { timesDirect: 1 },
    connections: 32,
    sides: ({ stoa, direct }) => ({
      // Browsers request pages, and all send an Accept-Encoding header.
      stoa: get(stoa, () => `/profile/${username(1)}`, browserHeaders),
      direct: get(direct, () => profileOf(1), browserHeaders),
    }),
    warm: () => [`/profile/${username(1)}`],
  },
];

export function benchmarkOf(name: string): Benchmark {
  const found = benchmarks.find((benchmark) => benchmark.name === name);
  if (!found) throw new Error(`There is no benchmark ${name}.`);
  return found;
}
