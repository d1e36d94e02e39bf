import { creators, offerings } from '@stoa/contracts';
import { makePublicCreator } from '@stoa/testing';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
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

const socialLinks = { youtube: null, tiktok: 'https://www.tiktok.com/@ama', instagram: null };
const profile = (username: string) => makePublicCreator({ username, socialLinks });
const { uid } = makePublicCreator();
const read = async (path: string) => (await fetch(`${gateway.url}${path}`)).text();
/** The content of a page that the server has rendered. */
const contentOf = (page: string) => /<main.*<\/main>/s.exec(page)?.[0] ?? '';

test('own links are in the page and in its structured data [gateway-56]', async () => {
  const links = [
    { label: 'Shop', url: 'https://shop.example.com/' },
    { label: 'Odd', url: 'javascript:alert(1)' },
  ];
  await serviceStubs.answer(creators.find, { ...profile('adjoa'), links });
  await serviceStubs.answer(offerings.listPublic, { items: [], pinnedId: null });
  const page = await read('/profile/adjoa');
  expect(contentOf(page)).toMatch(/<ul aria-label="Links of Ama".*href="https:\/\/shop.example.com\/".*Shop/);
  expect(contentOf(page)).not.toContain('javascript:alert');
  expect(page).toContain('"sameAs":["https://www.tiktok.com/@ama","https://shop.example.com/"]');
});

test('a profile shows its header picture in AVIF and WebP', async () => {
  const path = `profile_pictures/${uid}/header_a`;
  const headerImage = { id: uid, path, widths: [480, 800], width: 800, height: 267, color: '#aabbcc' };
  await serviceStubs.answer(creators.find, { ...profile('abena'), headerImage });
  await serviceStubs.answer(offerings.listPublic, { items: [], pinnedId: null });
  const content = contentOf(await read('/profile/abena'));
  expect(content).toMatch(
    new RegExp(`<source type="image/avif" srcSet="[^"]*/${path}/480.avif 480w, [^"]*/800.avif 800w"`),
  );
  expect(content).toMatch(
    new RegExp(`<img src="[^"]*/${path}/800.webp" alt="" width="800" height="267" loading="eager"`),
  );
});
