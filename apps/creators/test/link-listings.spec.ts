import { type Caller, creators } from '@stoa/contracts';
import { makeCaller, makeOperatorCaller, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { changes, makeCreatorOf, startCreators } from './creators-under-test.ts';

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

test('support and social links of a published profile are announced, and none of another', async () => {
  const caller = makeCaller();
  await service.ask(creators.open, {}, caller);
  await service.ask(creators.update, changes({ paygates: [coffee], socialLinks }), caller);
  await waitFor(() => expect(listedOf(caller).at(-1)).toMatchObject({ version: 2, links: [] }), soon);
  await service.ask(creators.update, changes({ paygates: [coffee], socialLinks, contactBy: 'form' }), caller);
  await expectListed(caller, shown);
  await service.ask(creators.update, changes({ socialLinks }), caller);
  await expectListed(caller, shown.slice(1));
});

test('a profile whose links cannot be announced keeps no other waiting', async () => {
  const broken = await makeCreatorOf(service);
  await expectListed(broken, []);
  // No version that the contract takes.
  await client.query('UPDATE creator SET version = -5 WHERE uid = $1', [broken.uid]);
  const caller = await makeCreatorOf(service, { paygates: [coffee], socialLinks });
  await expectListed(caller, shown);
  const left = async () => (await client.query('SELECT 1 FROM unlisted_page')).rowCount;
  await waitFor(async () => expect(await left()).toBe(0), soon);
  expect(listedOf(broken).at(-1)?.links).toEqual([]);
});

test('a profile that an operator hides has no links until it is shown again', async () => {
  const caller = await makeCreatorOf(service, { paygates: [coffee], socialLinks });
  await expectListed(caller, shown);
  const operator = makeOperatorCaller();
  await service.ask(creators.open, {}, operator);
  const report = {
    id: randomUUID(),
    creatorId: caller.uid,
    offering: null,
    reason: 'fraud',
    text: 'No.',
  } as const;
  await service.ask(creators.report, report);
  const { items } = await service.ask(creators.listCases, { queue: 'waiting' }, operator);
  const id = items.find(({ creatorId }) => creatorId === caller.uid)?.id ?? '';
  await service.ask(creators.decide, { id, decision: 'hide', reason: 'fraud', text: '' }, operator);
  await expectListed(caller, []);
  await service.ask(creators.decide, { id, decision: 'restore', text: '' }, operator);
  await expectListed(caller, shown);
});

test('profiles from before that was asked for are announced, and again if that is run again', async () => {
  const caller = await makeCreatorOf(service, { paygates: [coffee], socialLinks });
  await expectListed(caller, shown);
  const before = listedOf(caller).length;
  const fill = '../prisma/migrations/20261124160100_unlisted_links_of_before/migration.sql';
  await client.query(await readFile(new URL(fill, import.meta.url), 'utf8'));
  await waitFor(() => expect(listedOf(caller)).toHaveLength(before + 1), soon);
  expect(listedOf(caller).at(-1)).toEqual(listedOf(caller).at(-2));
});
