import { type Caller, creators } from '@stoa/contracts';
import { makeCaller, makeOperatorCaller, type ServiceUnderTest, waitFor, makeReport } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { changes, makeCreatorOf, startCreators } from '../creators-under-test.ts';

const soon = { timeout: 20_000 };
const coffee = { name: 'Coffee', url: 'https://coffee.example.com/zoe' };
const youtube = 'https://www.youtube.com/@zoe';
const socialLinks = { youtube, tiktok: null, instagram: null };
let service: ServiceUnderTest;
let client: Client;

beforeAll(async () => {
  service = await startCreators();
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

const listedOf = (caller: Caller) =>
  service.events.all(creators.linksListed).filter(({ uid }) => uid === caller.uid);
async function expectListed(caller: Caller, links: { kind: string; label: string; url: string }[]) {
  await waitFor(() => expect(listedOf(caller).at(-1)?.links).toEqual(links), soon);
}
const shown = [
  { kind: 'support', label: 'Coffee', url: coffee.url },
  { kind: 'social', label: 'YouTube', url: youtube },
];

test('the support and social links of a profile are announced only if it is published', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  await service.ask(creators.update, changes({ paygates: [coffee], socialLinks }), caller);
  await waitFor(() => expect(listedOf(caller).at(-1)).toMatchObject({ version: 2, links: [] }), soon);
  await service.ask(creators.update, changes({ paygates: [coffee], socialLinks, contactBy: 'form' }), caller);
  await expectListed(caller, shown);
  await service.ask(creators.update, changes({ socialLinks }), caller);
  await expectListed(caller, shown.slice(1));
});

test('a profile whose links cannot be announced does not delay the others', async () => {
  const broken = await makeCreatorOf(service);
  await expectListed(broken, []);
  // A negative version is invalid, so the service cannot publish the links of this profile.
  await client.query('UPDATE creator SET version = -5 WHERE uid = $1', [broken.uid]);
  const caller = await makeCreatorOf(service, { paygates: [coffee], socialLinks });
  await expectListed(caller, shown);
  const left = async () => (await client.query('SELECT 1 FROM unlisted_page')).rowCount;
  await waitFor(async () => expect(await left()).toBe(0), soon);
  expect(listedOf(broken).at(-1)?.links).toEqual([]);
});

test('profiles are announced in the order of their changes, even with a long queue', async () => {
  const caller = await makeCreatorOf(service);
  await expectListed(caller, []);
  // The queue needs several minutes for 20,000 profiles, so the test passes only if earlier changes go first.
  await client.query(`INSERT INTO unlisted_page (id, due_at)
    SELECT gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, 20000)`);
  try {
    await service.ask(creators.update, changes({ paygates: [coffee], socialLinks }), caller);
    await expectListed(caller, shown);
  } finally {
    await client.query('DELETE FROM unlisted_page WHERE due_at > now()');
  }
});

test('a profile that an operator has hidden has no links until it is restored', async () => {
  const caller = await makeCreatorOf(service, { paygates: [coffee], socialLinks });
  await expectListed(caller, shown);
  const operator = makeOperatorCaller();
  await service.ask(creators.open, {}, operator);
  await service.ask(creators.report, makeReport({ creatorId: caller.uid }));
  const { items } = await service.ask(creators.listCases, { queue: 'waiting' }, operator);
  const id = items.find(({ creatorId }) => creatorId === caller.uid)?.id ?? '';
  await service.ask(creators.decide, { id, decision: 'hide', reason: 'fraud', text: '' }, operator);
  await expectListed(caller, []);
  await service.ask(creators.decide, { id, decision: 'restore', text: '' }, operator);
  await expectListed(caller, shown);
});
