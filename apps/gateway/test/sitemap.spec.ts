import { creators, offerings } from '@stoa/contracts';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { waitFor } from '@stoa/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test.ts';
import { ServiceStubs } from './service-stubs.ts';

let gateway: GatewayUnderTest;
let services: ServiceStubs;
const site = 'http://localhost:8080';
const updatedAt = '2026-11-21T12:00:00.000Z';
const uid = crypto.randomUUID();

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = new ServiceStubs(gateway);
});
afterEach(async () => {
  // Publishes an event that empties the cache for the next test.
  const announcer = await gateway.connectAs('creators');
  const facts = {
    uid: crypto.randomUUID(),
    username: 'ama',
    displayName: '',
    ...{ profileImageId: null, headerImageId: null },
    version: 1,
  };
  await services.leave();
  announcer.publish(creators.removed.subject, JSON.stringify(facts));
  await waitFor(
    async () => {
      if ((await get('/sitemap.xml')).status !== 503)
        throw new Error('The sitemap still knows its creators.');
    },
    { timeout: 10_000 },
  );
  await announcer.close();
});
afterAll(() => gateway.stop());

const get = (path: string) => fetch(`${gateway.url}${path}`);
const placesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place]) => place);

test("robots.txt allows public pages, disallows the creators' and names the sitemap", async () => {
  const response = await get('/robots.txt');
  expect(response.headers.get('content-type')).toContain('text/plain');
  const rules = (await response.text()).split('\n');
  expect(rules).toContain(`Sitemap: ${site}/sitemap.xml`);
  for (const path of ['/api/', '/dashboard', '/create-profile', '/download'])
    expect(rules).toContain(`Disallow: ${path}`);
  expect(rules.filter((rule) => /^Disallow: \/(profile|browse|about|$)/.test(rule))).toEqual([]);
});

test('a small site has one sitemap with its pages, and profiles and offerings with lastmod', async () => {
  await services.answer(creators.surveyProfiles, { positions: [] });
  const listed = await services.answer(creators.listProfiles, {
    items: [{ uid, username: 'ama', updatedAt }],
  });
  const offered = { slug: 'letters', updatedAt };
  const asked = await services.answer(offerings.listEntries, {
    items: [
      { creatorId: uid, ...offered },
      { creatorId: crypto.randomUUID(), ...offered },
    ],
  });
  const response = await get('/sitemap.xml');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('application/xml');
  const xml = await response.text();
  expect(placesIn(xml)).toEqual(
    expect.arrayContaining(
      ['/', '/about', '/browse-creators', '/contact', '/privacy', '/profile/ama'].map((p) => site + p),
    ),
  );
  expect(placesIn(xml).filter((place) => /login|dashboard|download/.test(place!))).toEqual([]);
  expect(xml).toContain(`<loc>${site}/profile/ama</loc><lastmod>${updatedAt}</lastmod>`);
  expect(xml).toContain(`<loc>${site}/profile/ama/letters</loc><lastmod>${updatedAt}</lastmod>`);
  expect(xml.match(/letters/g)).toHaveLength(1);
  // There may be two equal requests, because on a busy machine the bus repeats a late one once.
  expect(asked.slice(0, 2)).toEqual(asked.map(() => ({ creatorIds: [uid] })));
  // Waits, because an event of the previous test may still arrive and make the sitemap stale.
  await waitFor(
    async () => {
      const before = listed.length;
      await get('/sitemap.xml');
      if (listed.length !== before) throw new Error('The sitemap is not kept.');
    },
    { timeout: 20_000 },
  );
});

test('a large site has a sitemap index, with one request per sitemap', async () => {
  await services.answer(creators.surveyProfiles, { positions: ['Zmlyc3Q', 'c2Vjb25k'] });
  const listed = await services.answerWith(creators.listProfiles, ({ after = 'start' }) => ({
    items: [{ uid: crypto.randomUUID(), username: after.toLowerCase(), updatedAt }],
  }));
  const xml = await (await get('/sitemap.xml')).text();
  expect(xml).toContain('<sitemapindex');
  const parts = placesIn(xml).map((place) => place!.replace(site, ''));
  expect(parts).toHaveLength(3);
  const pages = await Promise.all(parts.map(async (part) => placesIn(await (await get(part)).text())));
  expect(pages[0]).toEqual(expect.arrayContaining([`${site}/`, `${site}/about`]));
  expect(pages[0]).not.toContainEqual(expect.stringContaining('/profile/'));
  expect(pages.slice(1)).toEqual([[`${site}/profile/zmlyc3q`], [`${site}/profile/c2vjb25k`]]);
  expect(listed).toHaveLength(2);
});

test('the pages without data are listed while creators is down', async () => {
  const response = await get('/sitemaps/pages.xml');
  expect(response.status).toBe(200);
  expect(placesIn(await response.text())).toContain(`${site}/about`);
});

test.each(['/sitemap.xml', '/sitemaps/profiles/Zmlyc3Q.xml'])(
  '%s is 503 while creators is down, not incomplete',
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('cache-control')).toBe('no-store');
  },
);

test('a sitemap that times out is 503', async () => {
  const connection = await gateway.connectAs('creators');
  connection.subscribe(creators.surveyProfiles.subject, { callback: () => undefined });
  await connection.flush();
  expect((await get('/sitemap.xml')).status).toBe(503);
  await connection.close();
});
