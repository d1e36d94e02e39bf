import { creators, limits } from '@stoa/contracts';
import { aCaller, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';
import { CreatorsRepository } from '../src/creators.repository.ts';

let service: ServiceUnderTest;
const usernames: string[] = [];

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder });
  for (let i = 0; i < 7; i += 1) {
    const caller = aCaller();
    await service.ask(creators.open, {}, caller);
    usernames.push(caller.username);
  }
});
afterAll(() => service.stop());

test('profiles are listed oldest first, with the day they changed', async () => {
  const { items } = await service.ask(creators.listProfiles, {});
  expect(items.map(({ username }) => username)).toEqual(usernames);
  expect(Date.parse(items[0]!.updatedAt)).toBeGreaterThan(Date.now() - 600_000);
});

test('what fits into one part has no further positions', async () => {
  expect(usernames.length).toBeLessThan(limits.sitemapPart);
  expect(await service.ask(creators.surveyProfiles, {})).toEqual({ positions: [] });
});

// In small parts, since thousands of creators would make the same point slowly.
test.each([
  [3, 2],
  [7, 0],
  [6, 1],
  [1, 6],
] as const)('parts of %i walk everybody once, from %i positions', async (part, count) => {
  const repository = service.app.get(CreatorsRepository);
  const positions = await repository.surveyProfiles(part);
  expect(positions).toHaveLength(count);
  const walked = await Promise.all(
    [undefined, ...positions].map((after) => repository.listProfiles(part, after)),
  );
  expect(walked.flat().map(({ username }) => username)).toEqual(usernames);
});

test('a position that the service did not write is refused', async () => {
  const refused = service.ask(creators.listProfiles, { after: 'bm90IG91cnM' });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
});
