import { creators, type ReviewFacts } from '@stoa/contracts';
import { withCurrentReads } from '@stoa/messaging';
import {
  createDatabase,
  inRepository,
  makeOperatorCaller,
  type ReplicatedPostgres,
  type ServiceUnderTest,
  startReplicatedPostgres,
  startServiceUnderTest,
  type TestDatabase,
  waitFor,
  makeReport,
} from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { CreatorsModule } from '../src/creators.module.ts';
import { makeCreatorOf } from './creators-under-test.ts';

let postgres: ReplicatedPostgres;
let database: TestDatabase;
let service: ServiceUnderTest;

beforeAll(async () => {
  postgres = await startReplicatedPostgres();
  database = await createDatabase(postgres.adminUrl, inRepository('apps/creators/prisma/migrations'));
  const environment = { DATABASE_URL: database.url, DATABASE_READ_URL: postgres.atReplica(database.url) };
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(CreatorsModule, { service: 'creators', folder, environment });
}, 120_000);
afterEach(() => postgres.resumeReplay());
afterAll(async () => {
  await service.stop();
  await database.drop();
  await postgres.stop();
});

const found = (username: string) =>
  service.ask(creators.find, { username }).then(
    () => true,
    () => false,
  );
const listed = async (search: string) =>
  (await service.ask(creators.browse, { search, limit: 10 })).items.some((item) => item.username === search);
const inSitemap = async (uid: string) =>
  (await service.ask(creators.listProfiles, {})).items.some((entry) => entry.uid === uid);

async function decide(creatorId: string, decision: 'hide' | 'restore'): Promise<ReviewFacts> {
  const operator = makeOperatorCaller();
  if (decision === 'hide') await service.ask(creators.report, makeReport({ creatorId }));
  const queue = decision === 'hide' ? 'waiting' : 'hidden';
  const { items } = await service.ask(creators.listCases, { queue }, operator);
  const { id = '' } = items.find((item) => item.creatorId === creatorId) ?? {};
  await service.ask(creators.decide, { id, decision, reason: 'fraud', text: '' }, operator);
  return service.events.next(
    creators.reviewed,
    ({ uid, outcome }) => uid === creatorId && outcome === (decision === 'hide' ? 'hidden' : 'restored'),
  );
}

test('a current read bypasses a lagging replica [creators-16]', async () => {
  const { uid, username } = await makeCreatorOf(service);
  await waitFor(async () => expect(await found(username)).toBe(true));
  await postgres.pauseReplay();
  await decide(uid, 'hide');
  // The replica still finds the hidden profile, so it lags.
  expect(await found(username)).toBe(true);
  const seen = () =>
    withCurrentReads(true, () => Promise.all([found(username), listed(username), inSitemap(uid)]));
  expect(await seen()).toEqual([false, false, false]);
  await decide(uid, 'restore');
  expect(await seen()).toEqual([true, true, true]);
});

test('a replica that lags for ten seconds gets no reads until it has caught up [creators-17]', async () => {
  const { uid, username } = await makeCreatorOf(service);
  await waitFor(async () => expect(await found(username)).toBe(true));
  await postgres.pauseReplay();
  await decide(uid, 'hide');
  expect(await found(username)).toBe(true);
  await waitFor(async () => expect(await found(username)).toBe(false), { timeout: 20_000 });

  await postgres.resumeReplay();
  await waitFor(
    async () => {
      await postgres.pauseReplay();
      const other = await makeCreatorOf(service);
      const readsReplica = !(await found(other.username));
      await postgres.resumeReplay();
      expect(readsReplica).toBe(true);
    },
    { timeout: 20_000 },
  );
}, 90_000);
