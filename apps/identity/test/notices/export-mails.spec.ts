import { media } from '@stoa/contracts';
import { runService } from '@stoa/platform';
import { waitFor } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';
import { IdentityUnderTest } from '../identity-under-test.ts';

const soon = { timeout: 20_000 };
let mails: IdentityUnderTest;

beforeAll(async () => {
  mails = await IdentityUnderTest.start();
});
afterAll(() => mails.stop());

const inADay = () => new Date(Date.now() + 86_400_000).toISOString();
const rows = (uid: string) => mails.countUnsent('export_mail', uid);
const oneMailTo = async (email: string) => (await mails.mailsTo(email, 1))[0];

test('a ready export is mailed once, with a link to the account', async () => {
  const { uid, email } = await mails.openAccount();
  const ended = { uid, id: randomUUID(), expiresAt: inADay() };
  const eventId = randomUUID();
  await mails.service.announce(media.exportEnded, ended, eventId);
  await mails.service.announce(media.exportEnded, ended, eventId);
  const mail = await oneMailTo(email);
  expect(mail?.subject).toBe('Your Stoa export is ready');
  expect(mail?.text).toContain('http://localhost:8080/dashboard/account?export');
  await waitFor(async () => expect(await rows(uid)).toBe(0), soon);
});

test('a failed export is mailed too', async () => {
  const { uid, email } = await mails.openAccount();
  await mails.service.announce(media.exportEnded, { uid, id: randomUUID(), expiresAt: null });
  expect(await oneMailTo(email)).toMatchObject({ subject: 'Your Stoa export could not be made' });
});

test('no mail is sent about an export of a deleted account or an expired one', async () => {
  const [gone, { uid, email }] = [randomUUID(), await mails.openAccount()];
  await mails.service.announce(media.exportEnded, { uid: gone, id: randomUUID(), expiresAt: inADay() });
  const past = new Date(Date.now() - 1000).toISOString();
  await mails.service.announce(media.exportEnded, { uid, id: randomUUID(), expiresAt: past });
  const other = await mails.openAccount();
  await mails.service.announce(media.exportEnded, { uid: other.uid, id: randomUUID(), expiresAt: inADay() });
  await oneMailTo(other.email);
  await waitFor(async () => expect((await rows(gone)) + (await rows(uid))).toBe(0), soon);
  expect(await mails.realm.mailsTo(email)).toEqual([]);
});

// This test comes last, because it stops the first process.
test('a mail of a killed process is sent by the next', async () => {
  const { uid, email } = await mails.openAccount();
  await mails.service.app.close();
  await mails.client.query(
    `INSERT INTO export_mail (id, uid, expires_at, attempts, next_try_at)
     VALUES (gen_random_uuid(), $1, now() + interval '1 day', 1, now() + interval '1 second')`,
    [uid],
  );
  const next = await runService(IdentityModule);
  expect(await oneMailTo(email)).toMatchObject({ subject: 'Your Stoa export is ready' });
  await next.stop();
});
