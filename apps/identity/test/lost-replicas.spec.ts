import { identity, offerings } from '@stoa/contracts';
import {
  transactionEndings,
  makeCaller,
  type RealmPerson,
  type RealmUnderTest,
  LostReplica,
  type ServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { IdentityUnderTest } from './identity-under-test.ts';

const soon = { timeout: 20_000 };
let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;
let replica: LostReplica;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
});
afterAll(() => started.stop());
beforeEach(async () => {
  replica = await LostReplica.start(service);
});
afterEach(() => replica.stop());

const callerOf = ({ uid, username, email, session: { sid } }: RealmPerson) =>
  makeCaller({ uid, username, email, sid, emailVerified: true });

async function tokenTo({ email }: RealmPerson, subject: string): Promise<string> {
  const found = async () => (await realm.mailsTo(email)).find((mail) => mail.subject === subject);
  await waitFor(async () => expect(await found()).toBeDefined(), soon);
  return /\/undo-change\S*#([\w-]{43})\s/.exec((await found())?.text ?? '')?.[1] ?? '';
}

test.each(transactionEndings)(
  'a request to end a session whose replica is lost and %s succeeds',
  async (ending) => {
    const person = await realm.signUp();
    const other = await realm.signIn(person);
    const end = () => service.ask(identity.endSession, { id: other.sid }, callerOf(person));
    expect(await replica.loseDuring(ending, end)).toEqual({});
    await service.events.next(identity.sessionEnded, ({ sid }) => sid === other.sid);
    await expect(realm.refresh(other)).rejects.toThrow('400');
    await expect(end()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test.each(transactionEndings)(
  'a change whose undoing replica is lost and %s is undone and answered',
  async (ending) => {
    const person = await started.signUpProved();
    await realm.changePassword(person, 'a thief chose this one');
    const token = await tokenTo(person, 'Your Stoa password was changed');
    const undo = () => service.ask(identity.undoChange, { token });
    expect(await replica.loseDuring(ending, undo)).toEqual({});
    expect(await realm.credentialTypes(person.uid)).toEqual([]);
    await expect(undo()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test.each(transactionEndings)(
  'links whose undoing replica is lost and %s are restored and announced once',
  async (ending) => {
    const person = await started.signUpProved();
    const offeringId = randomUUID();
    const before = [{ name: 'Letters', url: 'https://pay.example.com/' }];
    await service.announce(offerings.paymentsMoved, {
      ...{ id: randomUUID(), uid: person.uid, offeringId, at: new Date().toISOString(), before },
      after: [{ name: 'Letters', url: 'https://elsewhere.example.net/' }],
      follows: false,
    });
    const token = await tokenTo(person, 'Your Stoa payment link was changed');
    const undo = () => service.ask(identity.undoLinkChange, { token });
    expect(await replica.loseDuring(ending, undo)).toEqual({ offeringId, links: before });
    await service.events.next(identity.linkChangeUndone, ({ uid }) => uid === person.uid);
    const published = service.events.all(identity.linkChangeUndone).filter(({ uid }) => uid === person.uid);
    expect(published).toHaveLength(1);
    await expect(undo()).rejects.toMatchObject({ code: 'not_found' });
  },
);
