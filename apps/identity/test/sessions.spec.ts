import { identity } from '@stoa/contracts';
import { makeCaller, type RealmPerson, type RealmUnderTest, type ServiceUnderTest } from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from './identity-under-test.ts';

let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
});
afterAll(() => started.stop());

const callerOf = ({ uid, session: { sid } }: RealmPerson) => makeCaller({ uid, sid });
const sessionsOf = async (person: RealmPerson) =>
  (await service.ask(identity.listSessions, {}, callerOf(person))).items;

test("lists the caller's sessions and marks the current one", async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await realm.signUp();
  const sessions = await sessionsOf(person);
  expect(sessions.map(({ id, current }) => ({ id, current }))).toEqual(
    expect.arrayContaining([
      { id: person.session.sid, current: true },
      { id: other.sid, current: false },
    ]),
  );
  expect(sessions).toHaveLength(2);
  for (const { startedAt, ipAddress } of sessions) {
    expect(Math.abs(Date.now() - Date.parse(startedAt))).toBeLessThan(60_000);
    expect(ipAddress).not.toBe('');
  }
});

test('ends one session and publishes it', async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await service.ask(identity.endSession, { id: other.sid }, callerOf(person));
  expect((await sessionsOf(person)).map(({ id }) => id)).toEqual([person.session.sid]);
  const ended = await service.events.next(identity.sessionEnded, ({ sid }) => sid === other.sid);
  expect(ended.uid).toBe(person.uid);
  await expect(realm.refresh(other)).rejects.toThrow('400');
});

test("returns not_found for somebody else's session, as for an unknown one", async () => {
  const [person, stranger] = [await realm.signUp(), await realm.signUp()];
  for (const id of [person.session.sid, 'no-such-session-ever-was']) {
    await expect(service.ask(identity.endSession, { id }, callerOf(stranger))).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no such session.',
    });
  }
  expect(await sessionsOf(person)).toHaveLength(1);
});

test('signing out everywhere ends every session, the current one included', async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await service.ask(identity.signOutEverywhere, {}, callerOf(person));
  await service.events.next(identity.sessionEnded, ({ uid, sid }) => uid === person.uid && sid === null);
  expect(await sessionsOf(person)).toEqual([]);
  for (const session of [person.session, other]) await expect(realm.refresh(session)).rejects.toThrow('400');
});

test('a password is no second factor, and what Keycloak cannot find has none', async () => {
  const person = await realm.signUp();
  for (const caller of [callerOf(person), makeCaller()])
    expect(await service.ask(identity.listSecondFactors, {}, caller)).toEqual({ items: [] });
});
