import { creators, limits } from '@stoa/contracts';
import { type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';
import { makeCreatorOf } from './creators-under-test.ts';
import { encodeCursor, partsOf, positionsOf } from '../src/cursor.ts';
import { profilesInPart } from '../src/public-creators.repository.ts';

let service: ServiceUnderTest;
const usernames: string[] = [];

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
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

test('a part of a million is no more work than one of a thousand', () => {
  expect(1_000_000 / partsOf(1_000_000, profilesInPart).length).toBeLessThanOrEqual(
    1000 / partsOf(1000, profilesInPart).length,
  );
});

test.each([30_000_000, 300_000_000])('the sitemap of %i creators stays within its limits', (creators) => {
  const parts = partsOf(creators, profilesInPart).length;
  // What an index of sitemaps may name (sitemaps.org).
  expect(parts).toBeLessThanOrEqual(50_000);
  expect(creators / parts).toBeLessThanOrEqual(limits.sitemapPart);
});

// In small parts, since thousands of creators would make the same point slowly.
test.each([
  [1, 8],
  [3, 4],
  [7, 1],
] as const)('parts of about %i list every profile once, in %i parts', async (size, count) => {
  const parts = partsOf(usernames.length, size);
  expect(parts).toHaveLength(count);
  const walked = await Promise.all(
    parts.map((part) => service.ask(creators.listProfiles, { after: encodeCursor(part) })),
  );
  const listed = walked.flatMap(({ items }) => items.map(({ username }) => username));
  expect(listed.toSorted()).toEqual(usernames.toSorted());
});

// Of an index that is kept while the parts become more, as at each doubling, or other ones, as with a new release.
test('an index lists every profile once, however parts are cut by the time that they are read', async () => {
  const positions = positionsOf(partsOf(usernames.length, 3));
  expect(positions).toHaveLength(4);
  const walked = await Promise.all(positions.map((after) => service.ask(creators.listProfiles, { after })));
  const listed = walked.flatMap(({ items }) => items.map(({ username }) => username));
  expect(listed.toSorted()).toEqual(usernames.toSorted());
  expect(positionsOf(partsOf(usernames.length, 7))).toEqual([]);
});

test('a forged position is refused', async () => {
  const refused = service.ask(creators.listProfiles, { after: 'bm90IG91cnM' });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
});
