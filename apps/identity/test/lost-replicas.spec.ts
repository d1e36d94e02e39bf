import { identity, offerings } from '@stoa/contracts';
import {
  endings,
  makeCaller,
  type RealmPerson,
  type RealmUnderTest,
  ReplicaToLose,
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
let replica: ReplicaToLose;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
});
afterAll(() => started.stop());
beforeEach(async () => {
  replica = await ReplicaToLose.start(service);
});
afterEach(() => replica.stop());

const callerOf = ({ uid, username, email, session: { sid } }: RealmPerson) =>
  makeCaller({ uid, username, email, sid, emailVerified: true });

async function tokenTo({ email }: RealmPerson, subject: string): Promise<string> {
  const found = async () => (await realm.mailsTo(email)).find((mail) => mail.subject === subject);
  await waitFor(async () => expect(await found()).toBeDefined(), soon);
  return /\/undo-change\S*#([\w-]{43})\s/.exec((await found())?.text ?? '')?.[1] ?? '';
}

test.each(endings)(
  'a session whose end is asked of a replica that is lost and %s is over',
  async (ending) => {
    const person = await realm.signUp();
    const other = await realm.signIn(person);
    const end = () => service.ask(identity.endSession, { id: other.sid }, callerOf(person));
    expect(await replica.whileLost(ending, end)).toEqual({});
    await service.events.next(identity.sessionEnded, ({ sid }) => sid === other.sid);
    await expect(realm.refresh(other)).rejects.toThrow('400');
    await expect(end()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test.each(endings)(
  'a change whose undoing replica is lost and %s is taken back, and answered',
  async (ending) => {
    const person = await started.aProvedPerson();
    await realm.changePassword(person, 'a thief chose this one');
    const token = await tokenTo(person, 'Your Stoa password was changed');
    const undo = () => service.ask(identity.undoChange, { token });
    expect(await replica.whileLost(ending, undo)).toEqual({});
    expect(await realm.credentialTypes(person.uid)).toEqual([]);
    await expect(undo()).rejects.toMatchObject({ code: 'not_found' });
  },
);

test.each(endings)(
  'links whose undoing replica is lost and %s are those of before, told once',
  async (ending) => {
    const person = await started.aProvedPerson();
    const offeringId = randomUUID();
    const before = [{ name: 'Letters', url: 'https://pay.example.com/' }];
    await service.announce(offerings.paymentsMoved, {
      ...{ id: randomUUID(), uid: person.uid, offeringId, at: new Date().toISOString(), before },
      after: [{ name: 'Letters', url: 'https://elsewhere.example.net/' }],
    });
    const token = await tokenTo(person, 'Your Stoa payment link was changed');
    const undo = () => service.ask(identity.undoLinkChange, { token });
    expect(await replica.whileLost(ending, undo)).toEqual({ offeringId, links: before });
    await service.events.next(identity.linkChangeUndone, ({ uid }) => uid === person.uid);
    const told = service.events.all(identity.linkChangeUndone).filter(({ uid }) => uid === person.uid);
    expect(told).toHaveLength(1);
    await expect(undo()).rejects.toMatchObject({ code: 'not_found' });
  },
);
