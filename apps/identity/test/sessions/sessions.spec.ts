import { deletionPhrase, identity, limits } from '@stoa/contracts';
import {
  makeCaller,
  type RealmPerson,
  type RealmUnderTest,
  type ServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SessionBrowsersSweeper } from '../../src/sessions/session-browsers.sweeper.ts';
import { IdentityUnderTest } from '../identity-under-test.ts';

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

test('ends one session and publishes it [identity-23]', async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await service.ask(identity.endSession, { id: other.sid }, callerOf(person));
  expect((await sessionsOf(person)).map(({ id }) => id)).toEqual([person.session.sid]);
  const ended = await service.events.next(identity.sessionEnded, ({ sid }) => sid === other.sid);
  expect(ended.uid).toBe(person.uid);
  await expect(realm.refresh(other)).rejects.toThrow('400');
});

test("returns not_found for another user's session, as for an unknown one", async () => {
  const [person, stranger] = [await realm.signUp(), await realm.signUp()];
  for (const id of [person.session.sid, 'no-such-session-ever-was']) {
    await expect(service.ask(identity.endSession, { id }, callerOf(stranger))).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no such session.',
    });
  }
  expect(await sessionsOf(person)).toHaveLength(1);
});

test('signing out everywhere ends every session, the current one included [identity-24]', async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await service.ask(identity.signOutEverywhere, {}, callerOf(person));
  await service.events.next(identity.sessionEnded, ({ uid, sid }) => uid === person.uid && sid === null);
  expect(await sessionsOf(person)).toEqual([]);
  for (const session of [person.session, other]) await expect(realm.refresh(session)).rejects.toThrow('400');
});

test('a password is no second factor, and an unknown user has none', async () => {
  const person = await realm.signUp();
  for (const caller of [callerOf(person), makeCaller()])
    expect(await service.ask(identity.listSecondFactors, {}, caller)).toEqual({ items: [] });
});

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Opens a session from a browser with this User-Agent, as the gateway does. */
const openIn = ({ uid, username, email }: RealmPerson, sid: string, userAgent?: string) =>
  service.ask(identity.open, { userAgent }, makeCaller({ uid, username, email, sid }));
const namesOf = async (person: RealmPerson) =>
  Object.fromEntries((await sessionsOf(person)).map(({ id, browser }) => [id, browser]));
const keptOf = async ({ uid }: RealmPerson) =>
  (await started.client.query('SELECT session_id, browser FROM session_browser WHERE uid = $1', [uid])).rows;
const nothingKeptOf = (person: RealmPerson) =>
  waitFor(async () => expect(await keptOf(person)).toEqual([]), { timeout: 20_000 });

test('lists the browser of each session once it has opened it [identity-25]', async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await openIn(person, person.session.sid, chrome);
  expect(await namesOf(person)).toEqual({
    [person.session.sid]: 'Chrome on Windows',
    [other.sid]: undefined,
  });
  await openIn(person, other.sid, firefox);
  await openIn(person, other.sid, chrome);
  await openIn(person, person.session.sid);
  expect(await namesOf(person)).toEqual({
    [person.session.sid]: 'Chrome on Windows',
    [other.sid]: 'Firefox on Linux',
  });
});

test.each([
  ['a script', '<script>alert(1)</script>/1.0 (x)'],
  ['direction marks and invisible letters', '\u202eChr\u200bome\u2066/1.0 (x)'],
  ['control characters', 'A\r\n\u0000/1.0 (x)'],
  ['a lone surrogate', '\ud800/1.0 (x)'],
  ['nothing', ''],
])('keeps nothing of a User-Agent of %s', async (_, userAgent) => {
  const person = await realm.signUp();
  await openIn(person, person.session.sid, userAgent);
  expect(await keptOf(person)).toEqual([]);
  expect(await namesOf(person)).toEqual({ [person.session.sid]: undefined });
});

test('deletes the browser of a session that the owner or an administrator ends', async () => {
  const person = await realm.signUp();
  const [second, third] = [await realm.signIn(person), await realm.signIn(person)];
  for (const { sid } of [person.session, second, third]) await openIn(person, sid, chrome);
  await service.ask(identity.endSession, { id: second.sid }, callerOf(person));
  expect((await keptOf(person)).map(({ session_id }) => session_id as string)).toEqual(
    expect.not.arrayContaining([second.sid]),
  );
  await realm.endSession(third.sid);
  await waitFor(async () => expect(await keptOf(person)).toHaveLength(1), { timeout: 20_000 });
  await realm.logOut(person.session);
  await nothingKeptOf(person);
});

test('signing out everywhere and deleting the account delete all its browsers, and no others', async () => {
  const [person, leaver, neighbour] = [await realm.signUp(), await realm.signUp(), await realm.signUp()];
  for (const one of [person, leaver, neighbour]) await openIn(one, one.session.sid, chrome);
  await service.ask(identity.signOutEverywhere, {}, callerOf(person));
  await nothingKeptOf(person);
  await realm.delete(leaver.uid);
  await nothingKeptOf(leaver);
  expect(await keptOf(neighbour)).toHaveLength(1);
});

test('no browser is stored for a closed account or a taken username', async () => {
  const [closed, person] = [await realm.signUp(), await realm.signUp()];
  await openIn(closed, closed.session.sid, chrome);
  const fresh = { ...callerOf(closed), authenticatedAt: new Date().toISOString() };
  await service.ask(identity.deleteAccount, { confirmation: deletionPhrase }, fresh);
  await expect(openIn(closed, closed.session.sid, chrome)).rejects.toMatchObject({ code: 'forbidden' });
  await nothingKeptOf(closed);
  await openIn(person, person.session.sid, chrome);
  const namesake = makeCaller({ username: person.username });
  await expect(service.ask(identity.open, { userAgent: chrome }, namesake)).rejects.toMatchObject({
    code: 'conflict',
  });
  const { rows } = await started.client.query('SELECT 1 FROM session_browser WHERE uid = $1', [namesake.uid]);
  expect(rows).toEqual([]);
});

test('the browsers of expired sessions are swept', async () => {
  const [old, young] = [await realm.signUp(), await realm.signUp()];
  for (const person of [old, young]) await openIn(person, person.session.sid, chrome);
  const ago = (person: RealmPerson, hours: number) =>
    started.client.query(
      'UPDATE session_browser SET seen_at = seen_at - make_interval(hours => $2) WHERE uid = $1',
      [person.uid, hours],
    );
  await ago(old, limits.sessionDays * 24 + 1);
  await ago(young, limits.sessionDays * 24 - 1);
  service.app.get(SessionBrowsersSweeper).wake();
  await nothingKeptOf(old);
  expect(await keptOf(young)).toHaveLength(1);
});
