import { identity } from '@stoa/contracts';
import {
  type RealmPerson,
  type RealmUnderTest,
  type ServiceUnderTest,
  waitFor,
  withClient,
} from '@stoa/testing';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { KeycloakClient } from '../src/keycloak/keycloak.client.ts';
import { IdentityUnderTest } from './identity-under-test.ts';

const soon = { timeout: 20_000 };
let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;
let keycloak: KeycloakClient;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm } = started);
  keycloak = service.app.get(KeycloakClient);
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => started.stop());

/** Counts the database connections that have an open transaction without a running statement. */
const openTransactions = () =>
  withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );
    return rows[0]?.open;
  });

async function undoTokenOf({ email }: RealmPerson): Promise<string> {
  const found = async () =>
    (await realm.mailsTo(email)).find(({ subject }) => subject === 'Your Stoa password was changed');
  await waitFor(async () => expect(await found()).toBeDefined(), soon);
  return /\/undo-change#([\w-]{43})\s/.exec((await found())?.text ?? '')?.[1] ?? '';
}

const undo = (token: string) => service.ask(identity.undoChange, { token });

test('no transaction is open during calls to Keycloak, and undo requests are serialised', async () => {
  const person = await started.signUpProved();
  await realm.changePassword(person, 'a thief chose this one');
  const token = await undoTokenOf(person);
  const held = Promise.withResolvers<undefined>();
  const credentialsOf = keycloak.credentialsOf.bind(keycloak);
  const calls = jest.spyOn(keycloak, 'credentialsOf').mockImplementation(async (uid) => {
    await held.promise;
    return credentialsOf(uid);
  });
  const first = undo(token);
  try {
    await waitFor(async () => expect(calls).toHaveBeenCalledTimes(1), soon);
    await waitFor(async () => expect(await openTransactions()).toBe(0), soon);
    await expect(undo(token)).rejects.toMatchObject({ code: 'unavailable' });
    expect(calls).toHaveBeenCalledTimes(1);
  } finally {
    held.resolve(undefined);
  }
  expect(await first).toEqual({});
  await expect(undo(token)).rejects.toMatchObject({ code: 'not_found' });
});

test('a link works again after Keycloak failed to undo the change', async () => {
  const person = await started.signUpProved();
  await realm.changePassword(person, 'a thief chose this one');
  const token = await undoTokenOf(person);
  jest.spyOn(keycloak, 'endSessionsOf').mockRejectedValueOnce(new Error('cut off'));
  await expect(undo(token)).rejects.toBeDefined();
  expect(await undo(token)).toEqual({});
});

test('no transaction is open while one replica reads events from Keycloak', async () => {
  const held = Promise.withResolvers<undefined>();
  const userEvents = keycloak.userEvents.bind(keycloak);
  const calls = jest.spyOn(keycloak, 'userEvents').mockImplementation(async (...page) => {
    await held.promise;
    return userEvents(...page);
  });
  try {
    // identity reads two streams of user events, so the proxy sees two calls.
    await waitFor(async () => expect(calls).toHaveBeenCalledTimes(2), soon);
    await waitFor(async () => expect(await openTransactions()).toBe(0), soon);
    const leases = () =>
      withClient(service.databaseUrl, async (client) => {
        const { rows } = await client.query(
          `SELECT stream FROM realm_reading WHERE leased_until > now() AND stream IN ('user', 'failure')`,
        );
        return rows;
      });
    expect(await leases()).toHaveLength(2);
  } finally {
    held.resolve(undefined);
  }
  const person = await started.signUpProved();
  await realm.changePassword(person, 'quite another one');
  await service.events.next(identity.passwordChanged, ({ uid }) => uid === person.uid);
});
