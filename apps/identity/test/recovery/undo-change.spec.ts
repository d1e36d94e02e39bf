import { identity } from '@stoa/contracts';
import { runService } from '@stoa/platform';
import {
  makeCaller,
  type RealmPerson,
  type RealmUnderTest,
  type ServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';
import { IdentityUnderTest } from '../identity-under-test.ts';

let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
});
afterAll(() => started.stop());

const emailChanged = 'The email of your Stoa account was changed';
const passwordChanged = 'Your Stoa password was changed';

const callerOf = ({ uid, username, email }: RealmPerson, emailVerified: boolean) =>
  makeCaller({ uid, username, email, emailVerified });

async function mailTo(address: string, subject: string): Promise<string> {
  const found = async () => (await realm.mailsTo(address)).filter((mail) => mail.subject === subject);
  await waitFor(async () => expect(await found()).toHaveLength(1), { timeout: 15_000 });
  return (await found())[0]?.text ?? '';
}

const tokenIn = (text: string) => /\/undo-change#([\w-]{43})\s/.exec(text)?.[1] ?? '';
const undo = (token: string) => service.ask(identity.undoChange, { token });

test('the old address is mailed about a new one, and can undo the change once', async () => {
  const person = await started.signUpProved();
  const stolen = `stolen-${person.email}`;
  await realm.changeEmail(person, stolen);
  const text = await mailTo(person.email, emailChanged);
  expect(text).toContain(`your Stoa account ${person.username} was changed from ${person.email}`);
  expect(text).not.toContain(stolen);

  const thief = await realm.signIn({ ...person, username: stolen });
  await undo(tokenIn(text));
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email, emailVerified: true });
  for (const session of [person.session, thief]) await expect(realm.refresh(session)).rejects.toThrow('400');
  await service.events.next(identity.sessionEnded, ({ uid, sid }) => uid === person.uid && sid === null);
  await service.events.next(identity.passwordChanged, ({ uid }) => uid === person.uid);
  await expect(realm.signIn(person)).rejects.toThrow('did not accept');
  await mailTo(person.email, 'Something to do for your Stoa account');
  await expect(undo(tokenIn(text))).rejects.toMatchObject({ code: 'not_found' });
});

test('the owner is mailed about a new password, and can undo it', async () => {
  const person = await started.signUpProved();
  await realm.changePassword(person, 'a thief chose this one');
  const text = await mailTo(person.email, passwordChanged);
  const thief = { ...person, password: 'a thief chose this one' };
  await realm.signIn(thief);
  await undo(tokenIn(text));
  await expect(realm.signIn(thief)).rejects.toThrow('did not accept');
  expect(await realm.credentialTypes(person.uid)).toEqual([]);
});

test('more than ten password changes in three days share one mail, which undoes them all', async () => {
  const person = await started.signUpProved();
  await started.client.query(
    `INSERT INTO account_change (uid, kind, address, at, mailed_at)
     SELECT $1, 'password', $2, now() - interval '1 day', now() - interval '1 day' FROM generate_series(1, 10)`,
    [person.uid, person.email],
  );
  const passwords = ['a horse of mine', 'another horse of mine', 'the horse of a thief'];
  for (const [place, password] of passwords.entries())
    await realm.changePassword({ ...person, password: passwords[place - 1] ?? person.password }, password);
  const waiting = async () => {
    const select = `SELECT 1 FROM account_change WHERE uid = $1 AND mailed_at IS NULL AND next_try_at > now() + interval '50 minutes'`;
    return (await started.client.query(select, [person.uid])).rowCount;
  };
  await waitFor(async () => expect(await waiting()).toBe(3), { timeout: 15_000 });
  // Makes the collected mail due one hour earlier.
  await started.client.query(
    `UPDATE account_change SET next_try_at = next_try_at - interval '1 hour' WHERE uid = $1 AND mailed_at IS NULL`,
    [person.uid],
  );
  const text = await mailTo(person.email, passwordChanged);
  expect(text.replace(/\s+/g, ' ')).toMatch(
    /the password of your Stoa account \S+ was changed 3 times, from .+ to .+ UTC\./,
  );
  await undo(tokenIn(text));
  await expect(realm.signIn({ ...person, password: 'the horse of a thief' })).rejects.toThrow(
    'did not accept',
  );
  await expect(undo(tokenIn(text))).rejects.toMatchObject({ code: 'not_found' });
  await mailTo(person.email, passwordChanged);
});

test('undoing a change discards a pending change of address', async () => {
  const person = await started.signUpProved();
  const thief = { ...person, password: 'a thief chose this one' };
  await realm.changePassword(person, thief.password);
  const token = tokenIn(await mailTo(person.email, passwordChanged));
  const link = await realm.requestEmailChange(thief, `stolen-${person.email}`);
  await undo(token);
  await realm.openLink(link);
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email, emailVerified: true });
});

test('undoing an earlier change revokes the links of later ones', async () => {
  const person = await started.signUpProved();
  const stolen = `stolen-${person.email}`;
  await realm.changeEmail(person, stolen);
  const ours = tokenIn(await mailTo(person.email, emailChanged));
  await realm.changePassword(person, 'a thief chose this one');
  const theirs = tokenIn(await mailTo(stolen, passwordChanged));
  await undo(ours);
  await expect(undo(theirs)).rejects.toMatchObject({ code: 'not_found' });
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email });
});

test('an unverified account that took the address since loses it', async () => {
  const person = await started.signUpProved();
  await realm.changeEmail(person, `moved-${person.email}`);
  const token = tokenIn(await mailTo(person.email, emailChanged));
  const squatter = await realm.signUp();
  await realm.change(squatter.uid, { email: person.email, emailVerified: false });
  await undo(token);
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email, emailVerified: true });
  expect(await realm.find(squatter.uid)).toMatchObject({ email: expect.stringMatching(/\.invalid$/) });
});

test('an unverified old address gets no mail about changes', async () => {
  const person = await realm.signUp();
  await service.ask(identity.open, {}, callerOf(person, false));
  await realm.changePassword(person, 'quite another one');
  await service.events.next(identity.passwordChanged, ({ uid }) => uid === person.uid);
  const proved = await started.signUpProved();
  await realm.changePassword(proved, 'quite another one');
  await mailTo(proved.email, passwordChanged);
  const subjects = (await realm.mailsTo(person.email)).map(({ subject }) => subject);
  expect(subjects).not.toContain(passwordChanged);
});

test('a forged link does nothing', async () => {
  await expect(undo('x'.repeat(43))).rejects.toMatchObject({ code: 'not_found' });
});

// This test comes last, because it stops the first process.
test('a change during downtime is mailed after a restart, and its link works', async () => {
  const person = await started.signUpProved();
  await service.app.close();
  await realm.changeEmail(person, `away-${person.email}`);
  const next = await runService(IdentityModule);
  const token = tokenIn(await mailTo(person.email, emailChanged));
  await next.stop();
  const last = await runService(IdentityModule);
  // The service reports that it is ready before all its NATS subscriptions are active.
  await waitFor(() => undo(token), { timeout: 10_000 });
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email });
  await last.stop();
});
