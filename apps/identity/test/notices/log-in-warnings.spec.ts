import { makeCaller, type RealmPerson, RealmVisitor, runSweepers, waitFor } from '@stoa/testing';
import { identity } from '@stoa/contracts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DueMailsSweeper } from '../../src/notices/due-mails.sweeper.ts';
import { IdentityUnderTest } from '../identity-under-test.ts';

const soon = { timeout: 30_000 };
let mails: IdentityUnderTest;
beforeAll(async () => {
  mails = await IdentityUnderTest.start();
});
afterAll(() => mails.stop());

async function fail({ username }: RealmPerson, times: number): Promise<void> {
  const visitor = new RealmVisitor();
  for (let count = 0; count < times; count += 1) {
    await visitor.begin();
    await visitor.logIn(username, `wrong-${count}`);
  }
}
const counted = async (uid: string) => {
  const { rows } = await mails.client.query<{ tries: number }>(
    'SELECT tries FROM failed_log_in WHERE uid = $1',
    [uid],
  );
  return rows[0]?.tries ?? 0;
};

test('an owner is mailed about failed log-ins once a day [identity-12]', async () => {
  const person = await mails.signUpProved();
  await fail(person, 9);
  await waitFor(async () => expect(await counted(person.uid)).toBe(9), soon);
  expect(await mails.countUnsent('log_in_warning', person.uid)).toBe(0);
  await fail(person, 3);
  const [mail] = await mails.mailsTo(person.email, 1);
  expect(mail?.subject).toBe('Failed log-ins to your Stoa account');
  expect(mail?.text.replace(/\s+/g, ' ')).toMatch(
    new RegExp(`your Stoa account ${person.username} has failed 1[0-2] times\\..*at most twice a day`),
  );
  await waitFor(async () => expect(await counted(person.uid)).toBe(12), soon);
  expect(await mails.mailsTo(person.email, 1)).toHaveLength(1);

  // Moves the first failed log-in more than a day back, so that the count restarts.
  await mails.client.query("UPDATE failed_log_in SET since = since - interval '25 hours' WHERE uid = $1", [
    person.uid,
  ]);
  await fail(person, 1);
  await waitFor(async () => expect(await counted(person.uid)).toBe(1), soon);
});

test('wrong codes cause a mail of their own after one about wrong passwords', async () => {
  const person = await mails.signUpProved();
  const otp = { subType: 'totp', digits: 6, counter: 0, period: 30, algorithm: 'HmacSHA1' };
  const authenticator = {
    type: 'otp',
    credentialData: JSON.stringify(otp),
    secretData: JSON.stringify({ value: 'a key of the authenticator' }),
  };
  await mails.realm.change(person.uid, { credentials: [authenticator] });
  await fail(person, 10);
  await mails.mailsTo(person.email, 1);
  const visitor = new RealmVisitor();
  await visitor.begin();
  await visitor.logIn(person.username, person.password);
  for (let count = 0; count < 4; count += 1) await visitor.submit('kc-otp-login-form', { otp: '000000' });
  const subjects = (await mails.mailsTo(person.email, 2)).map(({ subject }) => subject);
  expect(subjects).toContain('Somebody may know your Stoa password');
});

test('an unproved address gets no warning, and unknown usernames are not counted', async () => {
  const person = await mails.realm.signUp();
  const { uid, username, email } = person;
  await mails.service.ask(identity.open, {}, makeCaller({ uid, username, email, emailVerified: false }));
  await fail({ ...person, username: `${username}-x` }, 2);
  await fail(person, 10);
  await waitFor(async () => expect(await mails.countUnsent('log_in_warning', uid)).toBe(1), soon);
  expect(await counted(uid)).toBe(10);
  const about = (await mails.realm.mailsTo(email)).filter(({ subject }) => /log-in/.test(subject));
  expect(about).toEqual([]);

  const age = (hours: number) =>
    mails.client.query(
      'UPDATE log_in_warning SET made_at = now() - make_interval(hours => $2) WHERE uid = $1',
      [uid, hours],
    );
  const sweep = () => runSweepers([mails.service.app.get(DueMailsSweeper)]);
  await age(23);
  await sweep();
  expect(await mails.countUnsent('log_in_warning', uid)).toBe(1);
  await age(25);
  await sweep();
  expect(await mails.countUnsent('log_in_warning', uid)).toBe(0);
});
