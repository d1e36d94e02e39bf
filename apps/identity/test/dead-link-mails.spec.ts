import { contact, type DeadLinkFacts, identity } from '@stoa/contracts';
import {
  makeCaller,
  realmSettings,
  RealmUnderTest,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../src/identity.module.ts';

const soon = { timeout: 20_000 };
const offeringId = randomUUID();
let service: ServiceUnderTest;
let realm: RealmUnderTest;
let client: Client;

beforeAll(async () => {
  realm = await RealmUnderTest.open();
  const folder = new URL('../', import.meta.url);
  const environment = realmSettings();
  service = await startServiceUnderTest(IdentityModule, { service: 'identity', folder, environment });
  client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await service.stop();
});

async function anAccount(emailVerified = true) {
  const caller = makeCaller({ emailVerified });
  await service.ask(identity.open, {}, caller);
  return caller;
}
const links: DeadLinkFacts['links'] = [
  {
    ...{ kind: 'payment', label: 'Access Now', url: 'https://pay.example.com/letters', finding: 'not_found' },
    ...{ offeringId, title: 'Twelve letters' },
  },
  {
    ...{ kind: 'support', label: 'Coffee', url: 'https://coffee.example.com/zoe', finding: 'no_such_host' },
    ...{ offeringId: null, title: '' },
  },
];
const died = (uid: string, told = links): DeadLinkFacts => ({
  ...{ id: randomUUID(), uid, at: new Date().toISOString(), links: told },
});
const mailsTo = async (email: string, count: number) => {
  await waitFor(async () => expect(await realm.mailsTo(email)).toHaveLength(count), soon);
  return realm.mailsTo(email);
};
const rows = async (uid: string) =>
  (await client.query('SELECT 1 FROM dead_link_mail WHERE uid = $1', [uid])).rows.length;

test('a creator is mailed once which links no longer work, what was seen, and where to change them', async () => {
  const { uid, email } = await anAccount();
  const [facts, eventId] = [died(uid), randomUUID()];
  await service.announce(contact.linksDied, facts, eventId);
  await service.announce(contact.linksDied, facts, eventId);
  const [mail] = await mailsTo(email, 1);
  expect(mail?.subject).toBe('Links on your Stoa pages no longer work');
  for (const words of [
    'On the offering “Twelve letters”, the payment link:',
    'https://pay.example.com/letters The page was not found.',
    `http://localhost:8080/dashboard/edit-offering/${offeringId}`,
    'On your profile, the support link “Coffee”:',
    'https://coffee.example.com/zoe There is no such address any more.',
    'http://localhost:8080/dashboard/edit-profile',
  ])
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(words);
  await waitFor(async () => expect(await rows(uid)).toBe(0), soon);
});

test('one link is told of in the singular', async () => {
  const { uid, email } = await anAccount();
  await service.announce(contact.linksDied, died(uid, links.slice(0, 1)));
  const [mail] = await mailsTo(email, 1);
  expect(mail?.subject).toBe('A link on your Stoa page no longer works');
});

test('an address that is not proved gets no mail of links, and an account that is gone keeps none', async () => {
  const [unproved, gone, last] = [await anAccount(false), randomUUID(), await anAccount()];
  await service.announce(contact.linksDied, died(unproved.uid));
  await service.announce(contact.linksDied, died(gone));
  await service.announce(contact.linksDied, died(last.uid));
  await mailsTo(last.email, 1);
  await waitFor(async () => expect(await rows(gone)).toBe(0), soon);
  expect(await realm.mailsTo(unproved.email)).toEqual([]);
  expect(await rows(unproved.uid)).toBe(1);
});
