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
import { IdentityModule } from '../src/identity.module.ts';
import { IdentityUnderTest } from './identity-under-test.ts';

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
  const person = await started.aProvedPerson();
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
  const person = await started.aProvedPerson();
  await realm.changePassword(person, 'a thief chose this one');
  const text = await mailTo(person.email, passwordChanged);
  const thief = { ...person, password: 'a thief chose this one' };
  await realm.signIn(thief);
  await undo(tokenIn(text));
  await expect(realm.signIn(thief)).rejects.toThrow('did not accept');
  expect(await realm.credentialTypes(person.uid)).toEqual([]);
});

test('undoing a change discards a pending change of address', async () => {
  const person = await started.aProvedPerson();
  const thief = { ...person, password: 'a thief chose this one' };
  await realm.changePassword(person, thief.password);
  const token = tokenIn(await mailTo(person.email, passwordChanged));
  const link = await realm.askForEmail(thief, `stolen-${person.email}`);
  await undo(token);
  await realm.openLink(link);
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email, emailVerified: true });
});

test('undoing an earlier change revokes the links for later ones', async () => {
  const person = await started.aProvedPerson();
  const stolen = `stolen-${person.email}`;
  await realm.changeEmail(person, stolen);
  const ours = tokenIn(await mailTo(person.email, emailChanged));
  await realm.changePassword(person, 'a thief chose this one');
  const theirs = tokenIn(await mailTo(stolen, passwordChanged));
  await undo(ours);
  await expect(undo(theirs)).rejects.toMatchObject({ code: 'not_found' });
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email });
});

test('an unverified account that has taken the address meanwhile loses it', async () => {
  const person = await started.aProvedPerson();
  await realm.changeEmail(person, `moved-${person.email}`);
  const token = tokenIn(await mailTo(person.email, emailChanged));
  const squatter = await realm.signUp();
  await realm.change(squatter.uid, { email: person.email, emailVerified: false });
  await undo(token);
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email, emailVerified: true });
  expect(await realm.find(squatter.uid)).toMatchObject({ email: expect.stringMatching(/\.invalid$/) });
});

test('an unverified old address is mailed nothing', async () => {
  const person = await realm.signUp();
  await service.ask(identity.open, {}, callerOf(person, false));
  await realm.changePassword(person, 'quite another one');
  await service.events.next(identity.passwordChanged, ({ uid }) => uid === person.uid);
  const proved = await started.aProvedPerson();
  await realm.changePassword(proved, 'quite another one');
  await mailTo(proved.email, passwordChanged);
  const subjects = (await realm.mailsTo(person.email)).map(({ subject }) => subject);
  expect(subjects).not.toContain(passwordChanged);
});

test('a forged link does nothing', async () => {
  await expect(undo('x'.repeat(43))).rejects.toMatchObject({ code: 'not_found' });
});

// Last: it leaves the first process closed.
test('a change during downtime is mailed after a restart, and its link works', async () => {
  const person = await started.aProvedPerson();
  await service.app.close();
  await realm.changeEmail(person, `away-${person.email}`);
  const next = await runService(IdentityModule);
  const token = tokenIn(await mailTo(person.email, emailChanged));
  await next.stop();
  const last = await runService(IdentityModule);
  // It says that it runs before the whole bus knows.
  await waitFor(() => undo(token), { timeout: 10_000 });
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email });
  await last.stop();
});
