import { creators, offerings } from '@stoa/contracts';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { makePublicCreator, makePublicOffering, waitFor } from '@stoa/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let serviceStubs: ServiceStubs;

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ webRoot: join(import.meta.dirname, '../../web/dist') });
  serviceStubs = new ServiceStubs(gateway);
});
afterEach(() => serviceStubs.leave());
afterAll(() => gateway.stop());

test('a profile that cannot be read is 503, not 404', async () => {
  const response = await fetch(`${gateway.url}/profile/ama`);
  expect(response.status).toBe(503);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(response.headers.get('content-type')).toContain('text/html');
  const html = await response.text();
  expect(html).toMatch(/id="root">.*<noscript>.*Failed to load creator profile\..*<a href="">Try again/s);
  expect(html).not.toMatch(/noindex|not found|nothing at this address/i);
  expect(html).toContain('<link rel="canonical" href="http://localhost:8080/profile/ama" />');
});

test('an unknown address is 404 and noindex', async () => {
  const response = await fetch(`${gateway.url}/no-such-page`);
  expect(response.status).toBe(404);
  expect(await response.text()).toMatch(/noindex.*<noscript>.*There is nothing at this address\./s);
});

const uid = '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11';
const card = (username: string) => ({
  uid,
  username,
  displayName: 'Ama',
  profileImage: null,
  niches: ['Poet'],
  offeringCount: 0,
  bioPreview: 'Poems',
});
const profile = (username: string) =>
  makePublicCreator({
    ...{ uid, username, niches: ['Poet'], contactBy: 'form', email: null, bio: 'Poems about rivers.' },
    paygates: [{ name: 'Till', url: 'https://till.example.test/' }],
    socialLinks: { youtube: null, tiktok: 'https://www.tiktok.com/@ama', instagram: null },
  });
/** The answer of the offerings service with these offerings. */
const shelf = (...items: object[]) => ({ items, pinnedId: null });
const listOf = (...items: object[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true });
const noOfferings = 'This creator has not added any offerings yet.';

const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
/** The content of a page that the server has rendered. */
const contentOf = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? '';
/** The API responses that a page contains, so that the browser need not request them. */
const answersIn = (page: string): unknown =>
  JSON.parse(/<script id="stoa-answers" type="application\/json">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

test('the server-rendered profile has niches, links, contact, and the data of its rendering', async () => {
  await serviceStubs.answer(creators.find, profile('kofi'));
  await serviceStubs.answer(offerings.listPublic, shelf());
  const page = await read('/profile/kofi');
  const content = contentOf(page);
  expect(content).toMatch(/<ul aria-label="Niches".*Poet/);
  expect(content).toContain('href="https://www.tiktok.com/@ama"');
  expect(content).toContain('href="https://till.example.test/"');
  expect(content).toContain('href="/profile/kofi/contact"');
  expect(content).toContain(noOfferings);
  expect(page).not.toContain('<noscript>');
  expect(page).not.toContain('as="fetch"');
  expect(answersIn(page)).toMatchObject({
    '/api/creators/kofi': { username: 'kofi' },
    '/api/creators/kofi/offerings': shelf(),
  });
});

test('offerings that cannot be read are not shown as an empty list', async () => {
  await serviceStubs.answer(creators.find, {
    ...profile('efua'),
    uid: '5f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  });
  await serviceStubs.refuse(offerings.listPublic, 'unavailable');
  const page = await read('/profile/efua');
  expect(contentOf(page)).toContain('Poems about rivers.');
  expect(contentOf(page)).not.toContain(noOfferings);
  expect(page).toContain('as="fetch" crossorigin href="/api/creators/efua/offerings"');
});

const anOffering = (slug: string, creatorId: string) =>
  makePublicOffering({ id: crypto.randomUUID(), creatorId, title: 'Twelve letters', slug });
/** Stubs a creator with one offering. Its slug is `letters`, its earlier slug `old-letters`. */
async function offers(username: string) {
  const creator = { ...profile(username), uid: crypto.randomUUID() };
  const offering = anOffering('letters', creator.uid);
  await serviceStubs.answer(creators.find, creator);
  await serviceStubs.answer(offerings.listPublic, shelf(offering, anOffering('ink', creator.uid)));
  await serviceStubs.answerWith(offerings.findPublic, ({ slug }) => ({
    ...offering,
    slug: slug === 'ink' ? slug : 'letters',
  }));
}

test('an offering has a page with title, canonical address and price [gateway-47]', async () => {
  await offers('abena');
  const response = await fetch(`${gateway.url}/profile/abena/letters`);
  expect(response.status).toBe(200);
  expect(response.headers.get('etag')).toMatch(/^"/);
  const text = await response.text();
  expect(text).toContain('<link rel="canonical" href="http://localhost:8080/profile/abena/letters" />');
  expect(text).toContain('"@type":"Product"');
  expect(contentOf(text)).toContain('href="https://pay.example.test/"');
  expect(contentOf(text)).toContain('href="/profile/abena/ink"');
  expect(contentOf(text)).not.toContain('href="/profile/abena/letters"');
  expect(contentOf(await read('/profile/abena'))).toContain('href="/profile/abena/letters"');
  const again = await fetch(`${gateway.url}/profile/abena/letters`, {
    headers: { 'if-none-match': response.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test("a creator's pages have the chosen palette, other pages have none", async () => {
  await serviceStubs.answerWith(creators.find, ({ username }) => ({
    ...profile(username),
    ...(username === 'esi' ? { palette: 'plum' } : {}),
  }));
  const offering = anOffering('letters', uid);
  await serviceStubs.answer(offerings.listPublic, shelf(offering));
  await serviceStubs.answer(offerings.findPublic, offering);
  for (const path of ['/profile/esi', '/profile/esi/letters'])
    expect(await read(path)).toMatch(/^<!doctype html>\s*<html lang="en" data-palette="plum">/);
  for (const path of ['/profile/yaw', '/profile/yaw/letters', '/about'])
    expect(await read(path)).toMatch(/^<!doctype html>\s*<html lang="en">/);
});

/** Reads the colours for the browser's bars, for light and dark mode. */
const barColors = (page: string) =>
  [...page.matchAll(/<meta name="theme-color" content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)" \/>/g)]
    .map(([, color, scheme]) => `${scheme} ${color}`)
    .join(', ');

test("each page has theme colors for light and dark, a creator's pages those of the palette [gateway-48]", async () => {
  await serviceStubs.answerWith(creators.find, ({ username }) => ({
    ...profile(username),
    ...(username === 'afia' ? { palette: 'plum' } : {}),
  }));
  await serviceStubs.answer(offerings.listPublic, shelf());
  expect(barColors(await read('/profile/afia'))).toBe('light #f7f0f7, dark #120f12');
  for (const path of ['/profile/kwame', '/', '/about', '/dashboard', '/no-such-page'])
    expect([path, barColors(await read(path))]).toEqual([path, 'light #f7f2e9, dark #13100d']);
});

test('a profile is rendered in the chosen layout [gateway-49]', async () => {
  await serviceStubs.answerWith(creators.find, ({ username }) => ({
    ...profile(username),
    uid: crypto.randomUUID(),
    layout: username === 'efe' ? 'list' : 'cards',
  }));
  await serviceStubs.answer(offerings.listPublic, shelf(anOffering('letters', uid)));
  for (const [username, layout] of [
    ['efe', 'list'],
    ['abla', 'cards'],
  ]) {
    const page = await read(`/profile/${username}`);
    expect(contentOf(page)).toContain(`data-layout="${layout}"`);
    expect(contentOf(page)).toContain('href="https://pay.example.test/"');
    expect(answersIn(page)).toMatchObject({ [`/api/creators/${username}`]: { layout } });
  }
});

test('an old slug redirects permanently and keeps the query', async () => {
  await offers('adwoa');
  const response = await fetch(`${gateway.url}/profile/adwoa/old-letters?utm_source=x`, {
    redirect: 'manual',
  });
  expect(response.status).toBe(301);
  expect(response.headers.get('location')).toBe('/profile/adwoa/letters?utm_source=x');
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test('an unknown offering is 404, an unreadable one 503', async () => {
  await serviceStubs.answer(creators.find, { ...profile('akua'), uid: crypto.randomUUID() });
  const away = await fetch(`${gateway.url}/profile/akua/letters`);
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '60']);
  expect(await away.text()).not.toMatch(/noindex|not found/i);
  await serviceStubs.refuse(offerings.findPublic, 'not_found');
  const gone = await fetch(`${gateway.url}/profile/akua/letters`);
  expect(gone.status).toBe(404);
  expect(await gone.text()).toContain('noindex');
});

test.each(['contact', 'Contact'])(
  '/profile/{username}/%s is the contact page of the creator, not an offering',
  async (word) => {
    const asked = await serviceStubs.answer(offerings.findPublic, {});
    expect((await fetch(`${gateway.url}/profile/ama/${word}`)).status).toBe(200);
    expect(asked).toEqual([]);
  },
);

test('the list of creators ignores unknown query parameters', async () => {
  const asked = await serviceStubs.answer(creators.browse, listOf(card('kofi')));
  // The first page may be sent without data, because it waits only briefly. Its late load is cached for the next one.
  const plain = await waitFor(async () => {
    const text = await read('/browse-creators');
    expect(contentOf(text)).toContain('href="/profile/kofi"');
    return text;
  });
  expect(plain).toContain('"@type":"ItemList"');
  // Other spellings of the address give the same page.
  expect(await read('/Browse-Creators/')).toBe(plain);
  const queries = ['?fbclid=x', '?', '?niche=', '?niche=Nobody', '?search=', '?cursor=x&limit=3'];
  const others = await Promise.all(queries.map((query) => read(`/browse-creators${query}`)));
  expect(queries.filter((_, index) => others[index] !== plain)).toEqual([]);
  expect(asked).toEqual([{ limit: 24 }]);
});

test('the list of creators shows the covers of their offerings', async () => {
  const kofi = { ...card('kofi'), offeringCount: 1 };
  await serviceStubs.answer(creators.browse, {
    items: [kofi],
    nextCursor: null,
    total: 1,
    totalIsExact: true,
  });
  const cover = { path: 'offering_images/ink', widths: [320], width: 320, height: 240, color: '#aabbcc' };
  await serviceStubs.answer(offerings.listThumbnails, {
    lists: [{ creatorId: kofi.uid, items: [cover] }],
  });
  await waitFor(async () =>
    expect(contentOf(await read('/browse-creators?niche=Coach'))).toContain('offering_images/ink/320.avif'),
  );
});

test('the list of a niche is filtered', async () => {
  const asked = await serviceStubs.answerWith(creators.browse, ({ niche }) => ({
    items: niche === 'Poet' ? [card('kofi')] : [],
    nextCursor: null,
    total: 0,
    totalIsExact: true,
  }));
  const expectContent = (path: string, words: string) =>
    waitFor(async () => expect(contentOf(await read(path))).toContain(words));
  await expectContent('/browse-creators?niche=Poet&utm_source=x', 'href="/profile/kofi"');
  await expectContent('/browse-creators?niche=Healer', 'No creators found matching');
  expect(asked).toEqual([
    { limit: 24, niche: 'Poet' },
    { limit: 24, niche: 'Healer' },
  ]);
});

test('a search is rendered on the server, and its page is not cached', async () => {
  const asked = await serviceStubs.answer(creators.browse, listOf(card('kofi')));
  const response = await fetch(`${gateway.url}/browse-creators?search=%20ink%20&niche=Poet&utm_source=x`);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  const page = await response.text();
  expect(contentOf(page)).toContain('href="/profile/kofi"');
  expect(contentOf(page)).toMatch(/<input[^>]*name="search"[^>]*value="ink"/);
  expect(Object.keys(answersIn(page) as object)).toEqual(['/api/creators?search=ink&niche=Poet']);
  expect(asked).toEqual([{ limit: 24, search: 'ink', niche: 'Poet' }]);
});

test('a search text that is too long is truncated like in the web app', async () => {
  const asked = await serviceStubs.answer(creators.browse, {});
  await read(`/browse-creators?search=%09${'x'.repeat(1000)}`);
  expect(asked).toEqual([{ limit: 24, search: 'x'.repeat(100) }]);
});

test('a list that cannot be read shows an error and a retry link without scripts', async () => {
  for (const query of ['?search=ink', '?niche=Musician']) {
    const shown = /<noscript>.*?<\/noscript>/s.exec(await read(`/browse-creators${query}`))?.[0];
    expect(shown).toMatch(/^((?!needs JavaScript).)*Failed to load creators\..*<a href="">Try again<\/a>/s);
  }
});

test.each([
  '/',
  '/about',
  '/contact',
  '/privacy',
  '/terms-of-service',
  '/community-guidelines',
  '/help-feedback',
])('%s is rendered on the server with one heading and its links', async (path) => {
  const page = await read(path);
  expect(contentOf(page).match(/<h1/g)).toHaveLength(1);
  expect(page).toContain('href="/browse-creators"');
  expect(page).not.toContain('needs JavaScript to show this page');
});

test.each([
  ['/About', '/about'],
  ['/CONTACT/', '/contact'],
  ['/Privacy', '/privacy'],
])('%s is the page %s, with its status and link preview [gateway-50]', async (written, path) => {
  const [other, own] = await Promise.all([written, path].map((at) => fetch(gateway.url + at)));
  expect([other?.status, own?.status]).toEqual([200, 200]);
  const [page, known] = [(await other?.text()) ?? '', (await own?.text()) ?? ''];
  const shared = (html: string) => html.match(/<(?:title|meta property="og:|link rel="canonical")[^]*?>/g);
  expect(shared(page)).toEqual(shared(known));
  expect(page).toContain(`<link rel="canonical" href="http://localhost:8080${path}" />`);
  expect(contentOf(page)).toBe(contentOf(known));
});

test('the server bundle is not served as a static file', async () => {
  const response = await fetch(`${gateway.url}/server/render.mjs`);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('the page of an old delivery link is no-store and does not reveal its key', async () => {
  const path = `/download/${crypto.randomUUID()}/${crypto.randomUUID()}`;
  const [plain, old] = await Promise.all(
    [path, `${path}?a=1&key=open-sesame`].map((at) => fetch(gateway.url + at)),
  );
  expect([plain?.status, old?.status]).toEqual([200, 200]);
  expect(plain?.headers.get('cache-control')).toBe('no-cache');
  expect(old?.headers.get('cache-control')).toBe('no-store');
  expect(await old?.text()).toBe(await plain?.text());
});

test('a profile has an Atom feed that is cached like its page [gateway-51]', async () => {
  await offers('afua');
  const response = await fetch(`${gateway.url}/profile/Afua/feed.xml`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const text = await response.text();
  expect(text).toContain(
    '<link rel="alternate" type="text/html" href="http://localhost:8080/profile/afua/letters"/>',
  );
  expect(await read('/profile/afua')).toContain('href="http://localhost:8080/profile/afua/feed.xml"');
  const again = await fetch(`${gateway.url}/profile/afua/feed.xml`, {
    headers: { 'if-none-match': response.headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
});

test('an unknown profile has no feed', async () => {
  await serviceStubs.refuse(creators.find, 'not_found');
  expect((await fetch(`${gateway.url}/profile/nobody-here/feed.xml`)).status).toBe(404);
});

test('a profile can be embedded in any page, and no other page can [gateway-52]', async () => {
  await offers('akua');
  const embedded = await fetch(`${gateway.url}/embed/akua`);
  expect(embedded.status).toBe(200);
  const policy = embedded.headers.get('content-security-policy') ?? '';
  expect(policy).toContain('frame-ancestors *');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src|unsafe/);
  expect(embedded.headers.get('x-frame-options')).toBeNull();
  const text = await embedded.text();
  expect(text).toContain('href="http://localhost:8080/profile/akua/letters" target="_blank" rel="noopener"');
  expect(text).toContain('<meta name="robots" content="noindex" />');
  for (const path of ['/profile/akua', '/embed', '/embed/', '/embed/akua/letters', '/embed%2fakua', '/login'])
    expect([path, (await fetch(gateway.url + path)).headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'self'"),
    ]);
});

test('a profile links its oEmbed description, which frames the embedded page [gateway-53]', async () => {
  await offers('adwoa');
  const [, address = ''] =
    /type="application\/json\+oembed" href="http:\/\/localhost:8080([^"]+)"/.exec(
      await read('/profile/adwoa'),
    ) ?? [];
  const answer = await fetch(`${gateway.url}${address}&maxwidth=300`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await answer.json()).toMatchObject({
    ...{ version: '1.0', type: 'rich', width: 300, provider_name: 'Stoa' },
    author_url: 'http://localhost:8080/profile/adwoa',
    html: expect.stringContaining('<iframe src="http://localhost:8080/embed/adwoa"'),
  });
});

test('only profiles of this site have an oEmbed description', async () => {
  await serviceStubs.refuse(creators.find, 'not_found');
  const site = 'http://localhost:8080';
  const elsewhere = ['https://evil.example/profile/adjoa', `${site}/about`, 'adjoa', `${site}/profile/adjoa`];
  for (const url of elsewhere)
    expect((await fetch(`${gateway.url}/oembed?${new URLSearchParams({ url })}`)).status).toBe(404);
  expect((await fetch(`${gateway.url}/oembed`)).status).toBe(400);
});
