import { creators, guidelineLabels, identity, type ReviewFacts } from '@stoa/contracts';
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
const decided = (uid: string, more: Partial<ReviewFacts> = {}): ReviewFacts => ({
  ...{ id: randomUUID(), uid, offering: { id: randomUUID(), title: 'Twelve letters' }, outcome: 'hidden' },
  ...{ reason: 'fraud', text: 'It asks for passwords.', at: new Date().toISOString() },
  ...more,
});
const mailsTo = async (email: string, count: number) => {
  await waitFor(async () => expect(await realm.mailsTo(email)).toHaveLength(count), soon);
  return realm.mailsTo(email);
};
const rows = async (uid: string) =>
  (await client.query('SELECT 1 FROM review_mail WHERE uid = $1', [uid])).rows.length;

test('a creator is mailed once what is hidden, why, and where to appeal', async () => {
  const { uid, email } = await anAccount();
  const [facts, eventId] = [decided(uid), randomUUID()];
  await service.announce(creators.reviewed, facts, eventId);
  await service.announce(creators.reviewed, facts, eventId);
  const [mail] = await mailsTo(email, 1);
  expect(mail?.subject).toBe('Your page on Stoa is hidden');
  for (const words of [
    '“Twelve letters”',
    guidelineLabels.fraud,
    facts.text,
    'http://localhost:8080/dashboard',
  ])
    expect(mail?.text.replace(/\s+/g, ' ')).toContain(words);
  await waitFor(async () => expect(await rows(uid)).toBe(0), soon);
});

test('an appeal that was refused and a page that is shown again are mailed', async () => {
  const { uid, email, username } = await anAccount();
  const more = { offering: null, reason: null };
  await service.announce(creators.reviewed, decided(uid, { ...more, outcome: 'upheld' }));
  const [upheld] = await mailsTo(email, 1);
  expect(upheld).toMatchObject({ subject: 'Your page on Stoa stays hidden' });
  expect(upheld?.text).toContain(`@${username}`);
  await service.announce(creators.reviewed, decided(uid, { ...more, outcome: 'restored' }));
  const subjects = (await mailsTo(email, 2)).map(({ subject }) => subject);
  expect(subjects).toContain('Your page on Stoa is shown again');
});

test('an address that is not proved gets no mail, and an account that is gone keeps none', async () => {
  const [unproved, gone, last] = [await anAccount(false), randomUUID(), await anAccount()];
  await service.announce(creators.reviewed, decided(unproved.uid));
  await service.announce(creators.reviewed, decided(gone));
  await service.announce(creators.reviewed, decided(last.uid));
  await mailsTo(last.email, 1);
  await waitFor(async () => expect(await rows(gone)).toBe(0), soon);
  expect(await realm.mailsTo(unproved.email)).toEqual([]);
  expect(await rows(unproved.uid)).toBe(1);
});
