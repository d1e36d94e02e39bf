import { creators, limits } from '@stoa/contracts';
import { type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../../src/creators.module.ts';
import { makeCreatorOf } from '../creators-under-test.ts';
import { encodeCursor, sitemapParts, sitemapCursors } from '../../src/directory/cursor.ts';
import { profilesPerSitemapPart } from '../../src/directory/public-creators.repository.ts';

let service: ServiceUnderTest;
const usernames: string[] = [];

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder });
  for (let i = 0; i < 7; i += 1) {
    const { username } = await makeCreatorOf(service);
    usernames.push(username);
  }
});
afterAll(() => service.stop());

test('profiles are listed with the day of their last change', async () => {
  const { items } = await service.ask(creators.listProfiles, {});
  expect(items.map(({ username }) => username).toSorted()).toEqual(usernames.toSorted());
  expect(Date.parse(items[0]!.updatedAt)).toBeGreaterThan(Date.now() - 600_000);
});

test('a small list is one sitemap part', async () => {
  expect(usernames.length).toBeLessThan(limits.sitemapPart);
  expect(await service.ask(creators.surveyProfiles, {})).toEqual({ positions: [] });
});

test('a sitemap part of a million creators is no larger than one of a thousand', () => {
  expect(1_000_000 / sitemapParts(1_000_000, profilesPerSitemapPart).length).toBeLessThanOrEqual(
    1000 / sitemapParts(1000, profilesPerSitemapPart).length,
  );
});

test.each([30_000_000, 300_000_000])('the sitemap of %i creators stays within its limits', (creators) => {
  const parts = sitemapParts(creators, profilesPerSitemapPart).length;
  // A sitemap index may list 50,000 sitemaps (sitemaps.org).
  expect(parts).toBeLessThanOrEqual(50_000);
  expect(creators / parts).toBeLessThanOrEqual(limits.sitemapPart);
});

// Small parts need few creators, which makes the test fast.
test.each([
  [1, 8],
  [3, 4],
  [7, 1],
] as const)('parts of about %i list every profile once, in %i parts', async (size, count) => {
  const parts = sitemapParts(usernames.length, size);
  expect(parts).toHaveLength(count);
  const walked = await Promise.all(
    parts.map((part) => service.ask(creators.listProfiles, { after: encodeCursor(part) })),
  );
  const listed = walked.flatMap(({ items }) => items.map(({ username }) => username));
  expect(listed.toSorted()).toEqual(usernames.toSorted());
});

// A crawler may use an old index after the number of parts has changed.
test('an old index lists every profile once after the parts have changed', async () => {
  const positions = sitemapCursors(sitemapParts(usernames.length, 3));
  expect(positions).toHaveLength(4);
  const walked = await Promise.all(positions.map((after) => service.ask(creators.listProfiles, { after })));
  const listed = walked.flatMap(({ items }) => items.map(({ username }) => username));
  expect(listed.toSorted()).toEqual(usernames.toSorted());
  expect(sitemapCursors(sitemapParts(usernames.length, 7))).toEqual([]);
});

test('a forged position is refused', async () => {
  const refused = service.ask(creators.listProfiles, { after: 'bm90IG91cnM' });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
});
