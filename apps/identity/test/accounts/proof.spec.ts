import {
  contact,
  creators,
  deletionPhrase,
  identity,
  limits,
  mailboxOf,
  media,
  offerings,
} from '@stoa/contracts';
import { makeCaller, type RealmUnderTest, type ServiceUnderTest, waitFor } from '@stoa/testing';
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from '../identity-under-test.ts';

let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
});
afterAll(() => started.stop());

async function signUpUnproved() {
  const { uid, username, email } = await realm.signUp();
  return makeCaller({ uid, username, email, emailVerified: false });
}

test('a sign-up is mailed one verification link, however often it is opened [identity-13]', async () => {
  const caller = await signUpUnproved();
  await Promise.all([1, 2, 3].map(() => service.ask(identity.open, {}, caller)));
  await waitFor(async () => expect(await realm.mailsTo(caller.email)).toHaveLength(1), { timeout: 15_000 });
  await service.ask(identity.open, {}, caller);
  const again = service.ask(identity.sendProof, {}, caller);
  await expect(again).rejects.toMatchObject({ code: 'rate_limited' });
  const [mail] = await realm.mailsTo(caller.email);
  expect(mail).toMatchObject({ subject: 'Confirm your email for Stoa' });
  expect(await realm.mailsTo(caller.email)).toHaveLength(1);

  await realm.openLink(mail?.text ?? '');
  const proved = await service.events.next(identity.emailVerified, ({ uid }) => uid === caller.uid);
  expect(proved.email).toBe(caller.email);
});

test('an address that a token contains as verified is published once', async () => {
  const caller = makeCaller({ emailVerified: true });
  await service.ask(identity.open, {}, caller);
  await service.ask(identity.open, {}, caller);
  await service.ask(identity.sendProof, {}, caller);
  await service.events.next(identity.emailVerified, ({ uid }) => uid === caller.uid);
  const published = service.events.all(identity.emailVerified).filter(({ uid }) => uid === caller.uid);
  expect(published).toHaveLength(1);
  expect(await realm.mailsTo(caller.email)).toEqual([]);
});

const fresh = () => new Date().toISOString();
const remove = (caller: ReturnType<typeof makeCaller>) =>
  service.ask(
    identity.deleteAccount,
    { confirmation: deletionPhrase },
    { ...caller, authenticatedAt: fresh() },
  );

test('an unproved address gets few verification mails a day and no other mail [identity-14]', async () => {
  const name = randomUUID();
  const addresses: string[] = [];
  for (let round = 0; round < limits.unprovedMailsPerDay + 2; round += 1) {
    // `name+1@…` and `name@…` are the same mailbox and share its limit.
    const address = round % 2 ? `${name}+${round}@example.test` : `${name}@example.test`;
    const { uid, username, email } = await realm.signUp({ email: address });
    const caller = makeCaller({ uid, username, email, emailVerified: false });
    await service.ask(identity.open, {}, caller);
    await service.announce(media.exportEnded, { uid: caller.uid, id: randomUUID(), expiresAt: null });
    addresses.push(address);
    const mails = Math.min(round + 1, limits.unprovedMailsPerDay);
    await waitFor(async () => expect(await subjectsTo(addresses)).toHaveLength(mails), { timeout: 15_000 });
    await remove(caller);
    for (const { erased } of [creators, offerings, media, contact])
      await service.announce(erased, { uid: caller.uid, counts: {} });
    await waitFor(async () => expect(await isFinished(caller.uid)).toBe(true), { timeout: 15_000 });
  }
  const subjects = await subjectsTo(addresses);
  expect(new Set(subjects)).toEqual(new Set(['Confirm your email for Stoa']));
  expect(subjects).toHaveLength(limits.unprovedMailsPerDay);
}, 120_000);

test('a verification mail over the daily limit is postponed, and the answer reports that', async () => {
  const caller = await signUpUnproved();
  const { email } = caller;
  const age = (hours: number) =>
    started.client.query(
      'UPDATE recipient_mail SET at = now() - make_interval(hours => $2) WHERE recipient = $1',
      [createHash('sha256').update(mailboxOf(email)).digest('hex'), hours],
    );
  await started.client.query(
    'INSERT INTO recipient_mail (recipient) SELECT $1 FROM generate_series(1, $2::int)',
    [createHash('sha256').update(mailboxOf(email)).digest('hex'), limits.unprovedMailsPerDay],
  );
  await age(20);
  await service.ask(identity.open, {}, caller);
  const refusal = await service.ask(identity.sendProof, {}, caller).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'rate_limited', message: expect.not.stringMatching(/on its way/) });
  const { retryAfter = 0 } = refusal as { retryAfter?: number };
  expect(Math.abs(retryAfter - 4 * 3600)).toBeLessThan(120);
  expect(await realm.mailsTo(email)).toEqual([]);

  await age(25);
  await service.ask(identity.open, {}, caller);
  const [mail] = await started.mailsTo(email, 1);
  expect(mail?.subject).toBe('Confirm your email for Stoa');
});

const subjectsTo = async (addresses: readonly string[]) => {
  const mails = await Promise.all([...new Set(addresses)].map((address) => realm.mailsTo(address)));
  return mails.flat().map(({ subject }) => subject);
};
const isFinished = async (uid: string) => {
  const finished = 'SELECT 1 FROM account_deletion WHERE uid = $1 AND finished_at IS NOT NULL';
  return (await started.client.query(finished, [uid])).rowCount === 1;
};

test('mails over the daily limits wait, notices have a higher limit, and none is lost [identity-15]', async () => {
  const { uid, email } = await started.openAccount();
  const sent = async (count: number) => {
    await started.client.query(
      `INSERT INTO recipient_mail (recipient)
       SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex') FROM generate_series(1, $2::int)`,
      [email.toLowerCase(), count],
    );
  };
  await sent(limits.mailsPerDay);
  await service.announce(media.exportEnded, { uid, id: randomUUID(), expiresAt: null });
  const change = { uid, offeringId: null, before: [], after: [], follows: false, at: fresh() };
  await service.announce(creators.paymentsMoved, { ...change, id: randomUUID() });
  const [notice] = await started.mailsTo(email, 1);
  expect(notice?.subject).not.toContain('export');
  await waitFor(async () => expect(await putOff('export_mail', 'next_try_at', uid)).toBe(true), {
    timeout: 15_000,
  });
  await sent(limits.noticesPerDay - limits.mailsPerDay);
  await service.announce(creators.paymentsMoved, { ...change, id: randomUUID() });
  await waitFor(async () => expect(await putOff('link_change', 'mail_due_at', uid)).toBe(true), {
    timeout: 15_000,
  });
  expect(await realm.mailsTo(email)).toHaveLength(1);
  // Makes the counted mails older than a day, so that the limit no longer counts them.
  await started.client.query(`UPDATE recipient_mail SET at = at - interval '25 hours'`);
  await started.client.query('UPDATE export_mail SET next_try_at = now() WHERE uid = $1', [uid]);
  await started.client.query(
    'UPDATE link_change SET mail_due_at = now() WHERE uid = $1 AND mail_due_at IS NOT NULL',
    [uid],
  );
  await started.mailsTo(email, 3);
});

/** Whether the next attempt to mail this account is more than a minute away. */
const putOff = async (table: string, column: string, uid: string) => {
  const later = `SELECT 1 FROM ${table} WHERE uid = $1 AND ${column} > now() + interval '1 minute'`;
  return (await started.client.query(later, [uid])).rowCount === 1;
};

test('a failed verification mail can be requested again immediately', async () => {
  // Keycloak has no user with this uid, so it sends no mail.
  const unknownCaller = makeCaller({ emailVerified: false });
  await service.ask(identity.open, {}, unknownCaller);
  const request = () => service.ask(identity.sendProof, {}, unknownCaller);
  await waitFor(async () => expect(await request()).toEqual({}), { timeout: 10_000 });
  await waitFor(async () => expect(await request()).toEqual({}), { timeout: 10_000 });
});
