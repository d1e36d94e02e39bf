import {
  calendarPath,
  type CreatorPage,
  deliveryKeyHeader,
  type Download,
  embedPath,
  feedPath,
  type Offering,
  oembedPath,
  paths,
  type Picture,
} from '@stoa/contracts';
import { expect } from '@playwright/test';
import { gatewaySurfaces, objectSurfaces, type SurfaceContent } from '@stoa/testing/surfaces';
import { randomUUID } from 'node:crypto';
import { fetchApi, fetchJson } from './api.ts';
import { makeCreator, makeOffering, saveProfile, type TestCreator, upload, uploadFile } from './creators.ts';
import { randomFile } from './files.ts';
import { readSitemap } from './sitemap.ts';
import { theSystem } from './system.ts';

/** A creator with content on all surfaces (routes and files that show it), and the paths that a visitor may remember. */
export interface Subject {
  readonly creator: TestCreator;
  readonly offering: Offering;
  readonly objects: Readonly<Record<keyof typeof objectSurfaces, string>>;
}

type Seen = Partial<Record<SurfaceContent, boolean>>;
/** `may` marks a surface that shows only some creators, so this creator may be missing. */
type Reader = ((subject: Subject) => Promise<Seen>) & { readonly may?: true };

const answer = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetchApi('GET', path, { headers });
  return { status: response.status, text: await response.text(), location: response.headers.get('location') };
};
const textOf = async (path: string) => {
  const { status, text } = await answer(path);
  return status === 200 ? text : '';
};
/** Whether the response at this path contains the creator and the offering. */
const named =
  (pathOf: (subject: Subject) => string) =>
  async (subject: Subject): Promise<Required<Pick<Seen, 'profile' | 'offering'>>> => {
    const text = await textOf(pathOf(subject));
    return {
      profile: text.includes(subject.creator.username),
      offering: text.includes(subject.offering.title) || text.includes(subject.offering.slug),
    };
  };
const only =
  <S extends SurfaceContent>(shown: S, read: (subject: Subject) => Promise<boolean>) =>
  async (subject: Subject): Promise<Seen> => ({ [shown]: await read(subject) });
const ofAll = (read: (subject: Subject) => Promise<Seen>): Reader =>
  Object.assign(read, { may: true as const });
const leads = (pathOf: (subject: Subject) => string) => async (subject: Subject) =>
  (await answer(pathOf(subject))).status === 302;
const inSitemap = async ({ creator: { username }, offering: { slug } }: Subject) => {
  const sitemap = await readSitemap();
  return {
    profile: sitemap.includes(`${paths.profile(username)}<`),
    offering: sitemap.includes(`${paths.offering(username, slug)}<`),
  };
};

const api = ({ creator }: Subject) => `/api/creators/${creator.username}`;
const offeringApi = (subject: Subject) => `${api(subject)}/offerings/${subject.offering.slug}`;
const downloads = ({ creator, offering }: Subject) => `/api/downloads/${creator.uid}/${offering.id}`;

/** Searches for a text, and finds the creator's card among the results. */
async function found({ creator }: Subject, search: string) {
  const text = await textOf(`/api/creators?search=${encodeURIComponent(search)}`);
  const { items } = JSON.parse(text || '{"items":[]}') as CreatorPage;
  return items.find(({ uid }) => uid === creator.uid);
}

const findsTitle = async (subject: Subject) => (await found(subject, subject.offering.title)) !== undefined;

/** Functions that read the routes with content, by route. */
const routeReaders: Readonly<Record<string, Reader>> = {
  'GET /*': ofAll(named(() => '/')),
  'GET /api/creators': async (subject) => {
    const card = await found(subject, subject.creator.username);
    const isFoundByTitle = await findsTitle(subject);
    return {
      profile: card !== undefined,
      offering: isFoundByTitle || (card?.thumbnails?.length ?? 0) > 0,
    };
  },
  'GET /api/creators/:username': only('profile', async (subject) => (await textOf(api(subject))) !== ''),
  'GET /api/creators/:username/card.jpg': only(
    'profile',
    leads((subject) => `${api(subject)}/card.jpg`),
  ),
  'GET /api/creators/:username/offerings': async (subject) => ({
    offering: (await named((of) => `${api(of)}/offerings`)(subject)).offering,
  }),
  'GET /api/creators/:username/offerings/:slug': async (subject) => ({
    offering: (await named(offeringApi)(subject)).offering,
  }),
  'GET /api/creators/:username/offerings/:slug/card.jpg': only(
    'offering',
    leads((subject) => `${offeringApi(subject)}/card.jpg`),
  ),
  'GET /api/downloads/:creatorId/:offeringId': only('delivery', async (subject) => {
    const { status, text } = await answer(downloads(subject), {
      [deliveryKeyHeader]: subject.offering.deliveryKey,
    });
    return status === 200 && (JSON.parse(text) as Download).deliveryText === 'Read it slowly.';
  }),
  'GET /api/downloads/:creatorId/:offeringId/seller': only(
    'seller',
    async (subject) => (await textOf(`${downloads(subject)}/seller`)) !== '',
  ),
  'GET /api/showcase': ofAll(named(() => '/api/showcase')),
  'GET /api/usernames/:username': only('profile', async ({ creator: { username } }) =>
    (await textOf(`/api/usernames/${username}`)).includes('"taken"'),
  ),
  'GET /browse-creators': ofAll(named(() => '/browse-creators')),
  'GET /embed/:username': named(({ creator }) => embedPath(creator.username)),
  'GET /oembed': only('profile', async ({ creator: { username } }) => {
    const url = encodeURIComponent(theSystem().siteUrl + paths.profile(username));
    return (await textOf(`${oembedPath}?url=${url}`)) !== '';
  }),
  'GET /profile/:username': named(({ creator }) => paths.profile(creator.username)),
  'GET /profile/:username/:slug': async (subject) => ({
    offering: (
      await named(({ creator, offering }) => paths.offering(creator.username, offering.slug))(subject)
    ).offering,
  }),
  'GET /profile/:username/:slug/event.ics': only(
    'offering',
    async ({ creator, offering }) => (await textOf(calendarPath(creator.username, offering.slug))) !== '',
  ),
  'GET /profile/:username/feed.xml': named(({ creator }) => feedPath(creator.username)),
  'GET /sitemap.xml': inSitemap,
  'GET /sitemaps/pages.xml': ofAll(named(() => '/sitemaps/pages.xml')),
  'GET /sitemaps/profiles/:after.xml': inSitemap,
  // The creator has a public mail address, so this route refuses messages with 409.
  'POST /api/creators/:username/messages': only('profile', async (subject) => {
    const body = { id: randomUUID(), name: 'A', email: 'a@example.com', subject: 'S', message: 'M' };
    return (await fetchApi('POST', `${api(subject)}/messages`, { body })).status === 409;
  }),
  'POST /profile/:username/contact': only('profile', async ({ creator: { username } }) => {
    const fields = { name: 'A', email: 'a@example.com', subject: 'S', message: 'M' };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = { raw: new URLSearchParams(fields).toString(), headers };
    return (await fetchApi('POST', paths.contactCreator(username), form)).status === 409;
  }),
};

/** Routes that show content but have no function here, and functions for routes without content. */
export const routesWithoutReader = (): string[] => {
  const showing = Object.keys(gatewaySurfaces).filter(
    (route) => !gatewaySurfaces[route]?.includes('nothing'),
  );
  const read = Object.keys(routeReaders);
  return [
    ...showing.filter((route) => !read.includes(route)),
    ...read.filter((route) => !showing.includes(route)),
  ];
};

/** ETags of objects that were loaded before, as in a browser's cache. */
const etags = new Map<string, string>();

/** Whether the edge serves an object for any of GET, HEAD and a conditional request. */
async function isServed(name: string, url: string): Promise<boolean> {
  const etag = etags.get(url);
  const variants: RequestInit[] = [
    {},
    { method: 'HEAD' },
    ...(etag ? [{ headers: { 'if-none-match': etag } }] : []),
  ];
  const answers = await Promise.all(
    variants.map(async (init) => {
      const response = await fetch(url, init);
      await response.body?.cancel();
      const newest = response.headers.get('etag');
      if (response.ok && newest) etags.set(url, newest);
      if (![200, 304, 403, 404].includes(response.status)) throw new Error(`${name}: ${response.status}`);
      return response.status === 200 || response.status === 304;
    }),
  );
  // One positive answer counts, because the caller waits until the object is hidden everywhere.
  return answers.some(Boolean);
}

/** Whether visitors see the creator's content, for each surface and kind of content. */
export async function readSurfaces(subject: Subject): Promise<Record<string, boolean>> {
  const routes = Object.entries(routeReaders).map(async ([route, read]) =>
    Object.entries(await read(subject)).map(([shown, isShown]) => [`${route} (${shown})`, isShown] as const),
  );
  const objects = Object.entries(subject.objects).map(async ([name, url]) => {
    const { shown } = objectSurfaces[name as keyof typeof objectSurfaces];
    return [[`${name} (${shown})`, await isServed(name, url)] as const];
  });
  return Object.fromEntries((await Promise.all([...routes, ...objects])).flat());
}

/**
 * The expected visibility of each surface (route or file) if these kinds of content are public. A surface marked `may` shows
 * only some creators, so its actual value is accepted while the content is public.
 */
export function expectedSurfaces(
  seen: Record<string, boolean>,
  shown: readonly SurfaceContent[],
): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(seen).map(([surface, isSeen]) => {
      const [, route = '', content = ''] = /^(.*) \((.*)\)$/.exec(surface) ?? [];
      const isShown = shown.includes(content as SurfaceContent);
      return [surface, routeReaders[route]?.may ? isSeen && isShown : isShown];
    }),
  );
}

/** All public routes and files, each with the kind of content that it shows. */
export const listedSurfaces = (): string[] => [
  ...Object.entries(gatewaySurfaces).flatMap(([route, kinds]) =>
    kinds.filter((kind) => kind !== 'nothing').map((kind) => `${route} (${kind})`),
  ),
  ...Object.entries(objectSurfaces).map(([name, { shown }]) => `${name} (${shown})`),
];

const locationOf = async (path: string) => (await answer(path)).location ?? '';

export async function makeSubject(): Promise<Subject> {
  const creator = await makeCreator();
  const { token, username, displayName, uid } = creator;
  // One after the other, because the media service limits concurrent checks.
  const face = await upload(token, 'profile-picture');
  const header = await upload(token, 'profile-header');
  const cover = await upload(token, 'offering-cover');
  const file = await uploadFile(token, randomFile(2000));
  const profile = { displayName, bio: 'Letters.', profileImageId: face.id, headerImageId: header.id };
  await saveProfile(token, { ...profile, contactBy: 'email' });
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const offering = await makeOffering(token, {
    // The title is random, so that a search finds only this offering.
    ...{
      title: `Letters of ${username} ${randomUUID().slice(0, 8)}`,
      type: 'Workshop',
      coverImageId: cover.id,
      files: [{ id: file.id }],
    },
    ...{ schedule: { start: `${day}T18:00`, timeZone: 'Africa/Johannesburg' } },
    deliveryText: 'Read it slowly.',
  });
  const { files } = await fetchJson<Download>('GET', `/api/downloads/${uid}/${offering.id}`, {
    headers: { [deliveryKeyHeader]: offering.deliveryKey },
  });
  const place = (await fetchJson<{ mediaUrl: string }>('GET', '/api/config')).mediaUrl;
  const variant = ({ path, widths }: Picture) => `${place}/${path}/${Math.min(...widths)}.webp`;
  const objects = {
    'profile-picture': variant(face),
    'profile-header': variant(header),
    'offering-cover': variant(cover),
    'offering-file': files[0]?.mediaUrl ?? '',
    'profile-card': await locationOf(`/api/creators/${username}/card.jpg`),
    'offering-card': await locationOf(`/api/creators/${username}/offerings/${offering.slug}/card.jpg`),
  };
  const subject = { creator, offering, objects };
  await expect.poll(() => findsTitle(subject), { timeout: 60_000, intervals: [250] }).toBe(true);
  return subject;
}
