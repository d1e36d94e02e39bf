import { creators, guidelineLabels, type ReviewFacts } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from '../identity-under-test.ts';

const soon = { timeout: 20_000 };
let mails: IdentityUnderTest;

beforeAll(async () => {
  mails = await IdentityUnderTest.start();
});
afterAll(() => mails.stop());

const decided = (uid: string, more: Partial<ReviewFacts> = {}): ReviewFacts => ({
  ...{ id: randomUUID(), uid, offering: { id: randomUUID(), title: 'Twelve letters' }, outcome: 'hidden' },
  ...{ reason: 'fraud', text: 'It asks for passwords.', at: new Date().toISOString() },
  ...more,
});
const rows = (uid: string) => mails.countUnsent('review_mail', uid);

test('a creator is mailed once what is hidden, why, and where to appeal [identity-20]', async () => {
  const { uid, email } = await mails.openAccount();
  const [facts, eventId] = [decided(uid), randomUUID()];
  await mails.service.announce(creators.reviewed, facts, eventId);
  await mails.service.announce(creators.reviewed, facts, eventId);
  const [mail] = await mails.mailsTo(email, 1);
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

test('a rejected appeal and a restored page are mailed [identity-21]', async () => {
  const { uid, email, username } = await mails.openAccount();
  const more = { offering: null, reason: null };
  await mails.service.announce(creators.reviewed, decided(uid, { ...more, outcome: 'upheld' }));
  const [upheld] = await mails.mailsTo(email, 1);
  expect(upheld).toMatchObject({ subject: 'Your page on Stoa stays hidden' });
  expect(upheld?.text).toContain(`@${username}`);
  await mails.service.announce(creators.reviewed, decided(uid, { ...more, outcome: 'restored' }));
  const subjects = (await mails.mailsTo(email, 2)).map(({ subject }) => subject);
  expect(subjects).toContain('Your page on Stoa is shown again');
});

test('an unproved address gets no mail about decisions, and a deleted account keeps none', async () => {
  const [unproved, gone, last] = [await mails.openAccount(false), randomUUID(), await mails.openAccount()];
  await mails.service.announce(creators.reviewed, decided(unproved.uid));
  await mails.service.announce(creators.reviewed, decided(gone));
  await mails.service.announce(creators.reviewed, decided(last.uid));
  await mails.mailsTo(last.email, 1);
  await waitFor(async () => expect(await rows(gone)).toBe(0), soon);
  expect(await mails.realm.mailsTo(unproved.email)).toEqual([]);
  expect(await rows(unproved.uid)).toBe(1);
});

test('a waiting mail is sent once the address is proved', async () => {
  const { uid, email } = await mails.openAccount(false);
  await mails.service.announce(creators.reviewed, decided(uid));
  await waitFor(async () => expect(await rows(uid)).toBe(1), soon);
  await mails.client.query('UPDATE account SET proved_email = email WHERE uid = $1', [uid]);
  await mails.mailsTo(email, 1);
});

test('a decision is not mailed before an earlier one whose mail waits [identity-22]', async () => {
  const [{ uid, email }, other] = [await mails.openAccount(), await mails.openAccount()];
  await mails.client.query(
    `INSERT INTO review_mail (id, uid, outcome, reason, text, made_at, attempts, next_try_at)
     VALUES (gen_random_uuid(), $1, 'hidden', 'fraud', '', now() - interval '1 minute', 1, now() + interval '1 hour')`,
    [uid],
  );
  await mails.service.announce(creators.reviewed, decided(uid, { outcome: 'restored', reason: null }));
  await mails.service.announce(creators.reviewed, decided(other.uid));
  // The worker sends mails in order. When this later mail arrives, it has skipped the earlier one.
  await mails.mailsTo(other.email, 1);
  expect([await mails.realm.mailsTo(email), await rows(uid)]).toEqual([[], 2]);
  await mails.client.query('UPDATE review_mail SET next_try_at = now() WHERE uid = $1', [uid]);
  // The mailbox of the tests lists the newest mail first.
  const subjects = (await mails.mailsTo(email, 2)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Your page on Stoa is shown again', 'Your page on Stoa is hidden']);
});
