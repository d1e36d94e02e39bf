import { contact, type DeadLinkFacts } from '@stoa/contracts';
import { waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from '../identity-under-test.ts';

const soon = { timeout: 20_000 };
const offeringId = randomUUID();
let mails: IdentityUnderTest;

beforeAll(async () => {
  mails = await IdentityUnderTest.start();
});
afterAll(() => mails.stop());

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
const died = (uid: string, items = links): DeadLinkFacts => ({
  ...{ id: randomUUID(), uid, at: new Date().toISOString(), links: items },
});
const rows = (uid: string) => mails.countUnsent('dead_link_mail', uid);

test('a creator is mailed once about dead links, with finding and place [identity-6]', async () => {
  const { uid, email } = await mails.openAccount();
  const [facts, eventId] = [died(uid), randomUUID()];
  await mails.service.announce(contact.linksDied, facts, eventId);
  await mails.service.announce(contact.linksDied, facts, eventId);
  const [mail] = await mails.mailsTo(email, 1);
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

test('a mail about one link uses the singular', async () => {
  const { uid, email } = await mails.openAccount();
  await mails.service.announce(contact.linksDied, died(uid, links.slice(0, 1)));
  const [mail] = await mails.mailsTo(email, 1);
  expect(mail?.subject).toBe('A link on your Stoa page no longer works');
});

test('an unproved address gets no mail about links, and a deleted account keeps none [identity-7]', async () => {
  const [unproved, gone, last] = [await mails.openAccount(false), randomUUID(), await mails.openAccount()];
  await mails.service.announce(contact.linksDied, died(unproved.uid));
  await mails.service.announce(contact.linksDied, died(gone));
  await mails.service.announce(contact.linksDied, died(last.uid));
  await mails.mailsTo(last.email, 1);
  await waitFor(async () => expect(await rows(gone)).toBe(0), soon);
  expect(await mails.realm.mailsTo(unproved.email)).toEqual([]);
  expect(await rows(unproved.uid)).toBe(1);
});
