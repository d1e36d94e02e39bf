import { identity } from '@stoa/contracts';
import { runService } from '@stoa/platform';
import {
  adminUrlOf,
  makeCaller,
  realmSettings,
  RealmUnderTest,
  type ServiceUnderTest,
  startServiceUnderTest,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';
import { RealmFollower } from '../../src/realm/realm.follower.ts';

const folder = new URL('../../', import.meta.url);
let service: ServiceUnderTest;
let realm: RealmUnderTest;

beforeAll(async () => {
  service = await startServiceUnderTest(IdentityModule, {
    service: 'identity',
    folder,
    environment: realmSettings(),
  });
  realm = await RealmUnderTest.open();
});
afterAll(() => service.stop());

test('a log-out at Keycloak publishes the end of that session alone [identity-16]', async () => {
  const person = await realm.signUp();
  const other = await realm.signIn(person);
  await realm.logOut(person.session);
  const ended = await service.events.next(identity.sessionEnded, ({ uid }) => uid === person.uid);
  expect(ended.sid).toBe(person.session.sid);
  await realm.logOut(other);
  await service.events.next(identity.sessionEnded, ({ sid }) => sid === other.sid);
  const all = service.events.all(identity.sessionEnded).filter(({ uid }) => uid === person.uid);
  expect(all).toHaveLength(2);
});

test('an event that cannot be announced is set aside, and the next are announced', async () => {
  const [broken, person] = [await realm.signUp(), await realm.signUp()];
  const asOwner = (sql: string) => withClient(adminUrlOf(service), (client) => client.query(sql));
  await asOwner(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN IF new.payload ->> 'uid' = '${broken.uid}' THEN RAISE 'No.' USING ERRCODE = '22000'; END IF; RETURN new; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    await realm.logOut(broken.session);
    await realm.logOut(person.session);
    await service.events.next(identity.sessionEnded, ({ sid }) => sid === person.session.sid);
    const all = service.events.all(identity.sessionEnded);
    expect(all.filter(({ uid }) => uid === broken.uid)).toEqual([]);
  } finally {
    await asOwner('DROP FUNCTION refuse CASCADE');
  }
});

test('disabling an account ends its sessions, enabling it none [identity-17]', async () => {
  const person = await realm.signUp();
  await realm.change(person.uid, { enabled: false });
  const ended = await service.events.next(identity.sessionEnded, ({ uid }) => uid === person.uid);
  expect(ended.sid).toBeNull();
  await realm.change(person.uid, { enabled: true });
  await realm.setPassword(person.uid, 'another-horse-battery');
  await service.events.next(identity.passwordChanged, ({ uid }) => uid === person.uid);
  const all = service.events.all(identity.sessionEnded).filter(({ uid }) => uid === person.uid);
  expect(all).toHaveLength(1);
});

test('an address verified by an administrator is published', async () => {
  const { uid, email } = await realm.signUp();
  await realm.change(uid, { emailVerified: true });
  const verified = await service.events.next(identity.emailVerified, (facts) => facts.uid === uid);
  expect(verified.email).toBe(email);
});

test('an administrator can sign out a session, an account or every user [identity-18]', async () => {
  const person = await realm.signUp();
  await realm.endSession(person.session.sid);
  await service.events.next(identity.sessionEnded, ({ sid }) => sid === person.session.sid);
  await realm.endSessionsOf(person.uid);
  await service.events.next(identity.sessionEnded, ({ uid, sid }) => uid === person.uid && sid === null);
  const before = Date.now();
  await realm.endEverySession();
  const everybody = await service.events.next(identity.sessionEnded, ({ uid, sid }) => uid === null && !sid);
  expect(Date.parse(everybody.at)).toBeGreaterThan(before);
});

test('a deleted account is closed and its record deleted [identity-19]', async () => {
  const { uid, username, email } = await realm.signUp();
  await service.ask(identity.open, {}, makeCaller({ uid, username, email }));
  const namesake = makeCaller({ username });
  await expect(service.ask(identity.open, {}, namesake)).rejects.toMatchObject({ code: 'conflict' });
  await realm.delete(uid);
  await service.events.next(identity.closed, (facts) => facts.uid === uid);
  await service.events.next(identity.sessionEnded, (facts) => facts.uid === uid && facts.sid === null);
  await expect(service.ask(identity.open, {}, namesake)).resolves.toMatchObject({ username });
});

// This test comes last, because it stops the process that reads Keycloak's events.
test('events during downtime are published after a restart, once by several replicas', async () => {
  const person = await realm.signUp();
  await service.app.get(RealmFollower).beforeApplicationShutdown();
  await realm.logOut(person.session);
  const replicas = await Promise.all([runService(IdentityModule), runService(IdentityModule)]);
  const { sid } = person.session;
  await service.events.next(identity.sessionEnded, (facts) => facts.sid === sid);
  const later = await realm.signIn(person);
  await realm.logOut(later);
  await service.events.next(identity.sessionEnded, (facts) => facts.sid === later.sid);
  await Promise.all(replicas.map(({ stop }) => stop()));
  const published = service.events.all(identity.sessionEnded).filter(({ uid }) => uid === person.uid);
  expect(published.map((facts) => facts.sid)).toEqual([sid, later.sid]);
});
