import { creators, identity, limits, type LinkChangeFacts, offerings } from '@stoa/contracts';
import { makeCaller, type RealmUnderTest, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from '../identity-under-test.ts';

const soon = { timeout: 20_000 };
let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;
let client: Client;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm, client } = started);
});
afterAll(() => started.stop());

type Person = Awaited<ReturnType<IdentityUnderTest['openAccount']>>;

const known = { name: 'Letters', url: 'https://pay.example.com/letters' };
const elsewhere = { name: 'Letters', url: 'https://elsewhere.example.net/letters' };

function aChange({ uid }: Person, more: Partial<LinkChangeFacts> = {}): LinkChangeFacts {
  const what = { offeringId: randomUUID(), before: [known], after: [elsewhere], follows: false };
  return { id: randomUUID(), uid, at: new Date().toISOString(), ...what, ...more };
}

const log = async (of: Person) => (await service.ask(identity.listLinkChanges, {}, of)).items;
const undo = (token: string) => service.ask(identity.undoLinkChange, { token });
const gone = { code: 'not_found' };

const tokenIn = (mail: { text: string } | undefined) =>
  /\/undo-change\?links#([\w-]{43})\s/.exec(mail?.text ?? '')?.[1] ?? '';

/** Waits until `count` mails to this owner have arrived, and returns the secrets of their undo links. */
async function tokensTo({ email }: Person, count: number): Promise<string[]> {
  await waitFor(async () => expect(await realm.mailsTo(email)).toHaveLength(count), soon);
  return (await realm.mailsTo(email)).map(tokenIn);
}

/** Publishes a change to this payment link and returns the secret of the undo link in the mail. */
async function tokenAbout(of: Person, change: LinkChangeFacts, url: string): Promise<string> {
  await service.announce(offerings.paymentsMoved, { ...change, after: [{ name: 'Letters', url }] });
  const found = async () => (await realm.mailsTo(of.email)).find(({ text }) => text.includes(url));
  await waitFor(async () => expect(await found()).toBeDefined(), soon);
  return tokenIn(await found());
}

test('a change appears in the log of its owner and is mailed once', async () => {
  const owner = await started.openAccount();
  const change = aChange(owner);
  const eventId = randomUUID();
  await service.announce(offerings.paymentsMoved, change, eventId);
  await service.announce(offerings.paymentsMoved, change, eventId);
  await tokensTo(owner, 1);
  const [mail] = await realm.mailsTo(owner.email);
  expect(mail?.subject).toBe('Your Stoa payment link was changed');
  expect(mail?.text).toContain('the payment link of “Letters”');
  expect(mail?.text).toContain('Before:\n- pay.example.com (Letters): https://pay.example.com/letters');
  expect(mail?.text).toContain(
    'Now:\n- elsewhere.example.net (Letters): https://elsewhere.example.net/letters',
  );
  const { uid: _, follows: _follows, ...logged } = change;
  expect(await log(owner)).toEqual([{ ...logged, undoneAt: null }]);
  expect(await log(await started.openAccount())).toEqual([]);
});

test('the link in the mail restores the earlier links, once', async () => {
  const owner = await started.openAccount();
  const change = aChange(owner, { offeringId: null });
  await service.announce(creators.paymentsMoved, change);
  const [token = ''] = await tokensTo(owner, 1);
  const undone = { offeringId: null, links: [known] };
  expect(await undo(token)).toEqual(undone);
  const published = await service.events.next(identity.linkChangeUndone, ({ uid }) => uid === owner.uid);
  expect(published).toEqual({
    ...{ uid: owner.uid, ...undone },
    ...{ namesOwnLinks: false, distrusted: [elsewhere.url], undoneAt: expect.any(String) },
  });
  expect(await log(owner)).toMatchObject([{ id: change.id, undoneAt: expect.any(String) }]);
  await expect(undo(token)).rejects.toMatchObject(gone);
});

test('of two concurrent requests to undo a change one succeeds', async () => {
  const owner = await started.openAccount();
  await service.announce(offerings.paymentsMoved, aChange(owner));
  const [token = ''] = await tokensTo(owner, 1);
  const answers = await Promise.allSettled([undo(token), undo(token)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('undoing a change revokes the links of later changes of the same page only [identity-9]', async () => {
  const owner = await started.openAccount();
  const first = aChange(owner);
  const other = aChange(owner);
  const tokens = [
    await tokenAbout(owner, first, 'https://elsewhere.example.net/first'),
    await tokenAbout(owner, aChange(owner, { offeringId: first.offeringId }), 'https://later.example.net/'),
    await tokenAbout(owner, other, 'https://elsewhere.example.net/other'),
  ] as const;
  await undo(tokens[0]);
  await expect(undo(tokens[1])).rejects.toMatchObject(gone);
  expect(await undo(tokens[2])).toMatchObject({ offeringId: other.offeringId });
});

test('an undo link expires after a week, and the log after 90 days', async () => {
  const owner = await started.openAccount();
  await service.announce(offerings.paymentsMoved, aChange(owner));
  const [token = ''] = await tokensTo(owner, 1);
  const age = (days: number) =>
    client.query(`UPDATE link_change SET at = now() - $2 * interval '1 day' WHERE uid = $1`, [
      owner.uid,
      days,
    ]);
  await age(limits.linkUndoDays + 1);
  await expect(undo(token)).rejects.toMatchObject(gone);
  expect(await log(owner)).toHaveLength(1);
  await age(limits.linkChangeDays + 1);
  expect(await log(owner)).toEqual([]);
  const rows = async () => (await client.query('SELECT 1 FROM link_change WHERE uid = $1', [owner.uid])).rows;
  await waitFor(async () => expect(await rows()).toEqual([]), soon);
});

test('a forged link does nothing', async () => {
  await expect(undo('x'.repeat(43))).rejects.toMatchObject(gone);
});

test('an unverified address gets no mail about changes, and a deleted account has no log', async () => {
  const [unverified, closed, owner] = [
    await started.openAccount(false),
    makeCaller(),
    await started.openAccount(),
  ];
  await service.announce(offerings.paymentsMoved, aChange(unverified));
  await service.announce(offerings.paymentsMoved, aChange(closed));
  await service.announce(offerings.paymentsMoved, aChange(owner));
  await tokensTo(owner, 1);
  expect(await log(unverified)).toHaveLength(1);
  expect(await log(closed)).toEqual([]);
  const subjects = (await realm.mailsTo(unverified.email)).map(({ subject }) => subject);
  expect(subjects).not.toContain('Your Stoa payment link was changed');
});

test('changes over the daily limit share a mail with an undo link each [identity-10]', async () => {
  const owner = await started.openAccount();
  const url = (number: number) => `https://elsewhere.example.net/${number}/`;
  const many = limits.linkMailsPerDay + 3;
  const changes = Array.from({ length: many }, (_, number) =>
    aChange(owner, { after: [{ name: 'Letters', url: url(number) }] }),
  );
  for (const change of changes) await service.announce(offerings.paymentsMoved, change);
  const texts = async () => (await realm.mailsTo(owner.email)).map(({ text }) => text).join();
  await waitFor(
    async () => {
      const all = await texts();
      for (let number = 0; number < many; number += 1) expect(all).toContain(url(number));
    },
    { timeout: 40_000 },
  );
  const mails = await realm.mailsTo(owner.email);
  expect(mails.length).toBeLessThan(many);
  const gathered = mails.find(({ subject }) => subject === '3 of your Stoa payment links were changed');
  const tokens = [...(gathered?.text ?? '').matchAll(/undo-change\?links#([\w-]{43})\s/g)];
  expect(new Set(tokens).size).toBe(3);
  for (const [, token = ''] of tokens) await undo(token);
  const undone = (await log(owner)).filter(({ undoneAt }) => undoneAt !== null);
  expect(undone).toHaveLength(3);
});

test('an unreadable change waits and delays no mail about other changes', async () => {
  const [broken, gathering, other] = [
    await started.openAccount(),
    await started.openAccount(),
    await started.openAccount(),
  ];
  // This row has an unknown value, as a later release could write it.
  const unreadable = JSON.stringify([{ ...elsewhere, place: 'unknown' }]);
  await client.query(
    `INSERT INTO link_change (id, uid, before, after, at, mail_due_at) VALUES
       (gen_random_uuid(), $1, '[]', $2, now(), now() - interval '1 minute'),
       (gen_random_uuid(), $1, $2, '[]', now(), now() - interval '1 minute')`,
    [broken.uid, unreadable],
  );
  await service.announce(offerings.paymentsMoved, aChange(other));
  await tokensTo(other, 1);
  // One unreadable change must not keep the others out of the mail.
  await client.query(
    `INSERT INTO link_change (id, uid, before, after, at, mail_due_at, mailed_at)
     SELECT gen_random_uuid(), $1, '[]', '[]', now(), NULL, now() - n * interval '90 minutes' FROM generate_series(1, $2) AS n`,
    [gathering.uid, limits.linkMailsPerDay],
  );
  await client.query(
    `INSERT INTO link_change (id, uid, before, after, at)
     SELECT gen_random_uuid(), $1, '[]', list::jsonb, now() FROM unnest($2::text[]) AS list`,
    [gathering.uid, [unreadable, JSON.stringify([elsewhere]), JSON.stringify([known])]],
  );
  await tokensTo(gathering, 1);
  const [mail] = await realm.mailsTo(gathering.email);
  expect(mail?.subject).toBe('2 of your Stoa payment links were changed');
  expect(await realm.mailsTo(broken.email)).toEqual([]);
  const waiting = await client.query(
    `SELECT 1 FROM link_change WHERE uid = ANY ($1) AND mailed_at IS NULL AND mail_due_at > now()`,
    [[broken.uid, gathering.uid]],
  );
  expect(waiting.rowCount).toBe(3);
});

test('a change that follows a mailed one is only logged, and undone with it [identity-11]', async () => {
  const owner = await started.openAccount();
  const first = aChange(owner);
  const token = await tokenAbout(owner, first, elsewhere.url);
  const offeringId = randomUUID();
  const follower = aChange(owner, { offeringId, before: [], follows: true });
  await service.announce(offerings.paymentsMoved, follower);
  const other = aChange(owner, { after: [{ name: 'Poems', url: 'https://other.example.org/' }] });
  await tokenAbout(owner, other, 'https://other.example.org/');
  await waitFor(async () => expect(await log(owner)).toHaveLength(3), soon);
  expect(await realm.mailsTo(owner.email)).toHaveLength(2);
  await undo(token);
  await service.events.next(identity.linkChangeUndone, (facts) => facts.offeringId === offeringId);
  const undone = service.events.all(identity.linkChangeUndone).filter(({ uid }) => uid === owner.uid);
  const facts = {
    ...{ uid: owner.uid, namesOwnLinks: false, distrusted: [elsewhere.url], undoneAt: expect.any(String) },
  };
  expect(undone).toEqual([
    { ...facts, offeringId: first.offeringId, links: [known] },
    { ...facts, offeringId, links: [] },
  ]);
  const open = (await log(owner)).filter(({ undoneAt }) => undoneAt === null);
  expect(open.map(({ id }) => id)).toEqual([other.id]);
});

test('a change that follows an undone one is mailed by itself', async () => {
  const owner = await started.openAccount();
  const first = await tokenAbout(owner, aChange(owner), elsewhere.url);
  await undo(first);
  const late = aChange(owner, { before: [], follows: true });
  await service.announce(offerings.paymentsMoved, late);
  const token = (await tokensTo(owner, 2)).find((other) => other !== first);
  expect(await undo(token ?? '')).toEqual({ offeringId: late.offeringId, links: [] });
});

test('undoing the first link of an offering removes the offering from the profile, as its mail states', async () => {
  const owner = await started.openAccount();
  const first = aChange(owner, { before: [] });
  const token = await tokenAbout(owner, first, elsewhere.url);
  const [mail] = await realm.mailsTo(owner.email);
  expect(mail?.text).toContain('Before:\n- no link');
  expect(mail?.text).toContain('take the offering off your profile');
  const back = aChange(owner, { offeringId: first.offeringId, before: [elsewhere], after: [known] });
  await service.announce(offerings.paymentsMoved, { ...back, follows: true });
  await waitFor(async () => expect(await log(owner)).toHaveLength(2), soon);
  await undo(token);
  const undone = await service.events.next(identity.linkChangeUndone, ({ uid }) => uid === owner.uid);
  expect(undone).toMatchObject({ links: [], distrusted: [elsewhere.url, known.url] });
});
