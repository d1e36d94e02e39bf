import {
  contact,
  creators,
  deletionPhrase,
  type ErasedCounts,
  identity,
  limits,
  media,
  offerings,
} from '@stoa/contracts';
import { runService } from '@stoa/platform';
import {
  makeCaller,
  type RealmPerson,
  type RealmUnderTest,
  type ServiceUnderTest,
  waitFor,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityModule } from '../../src/identity.module.ts';
import { IdentityUnderTest } from '../identity-under-test.ts';

const subject = 'Your Stoa account is deleted';
const soon = { timeout: 15_000 };
const words = { confirmation: deletionPhrase } as const;

let started: IdentityUnderTest;
let service: ServiceUnderTest;
let realm: RealmUnderTest;
let client: Client;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
  ({ service, realm, client } = started);
});
afterAll(() => started.stop());

const callerOf = ({ uid, username, email }: RealmPerson) =>
  makeCaller({ uid, username, email, authenticatedAt: new Date().toISOString() });

async function aPerson(): Promise<RealmPerson> {
  const person = await realm.signUp();
  const profile = { displayName: 'Ada Marsh', version: 1 };
  await service.ask(identity.open, { profile }, callerOf(person));
  return person;
}

const erasing = { creators, offerings, media, contact };
type Erasing = keyof typeof erasing;
const held: Record<Erasing, ErasedCounts> = {
  creators: { profiles: 1, pictures: 1 },
  offerings: { offerings: 3, pictures: 2, files: 1, sales: 2 },
  media: {},
  contact: { messagesReceived: 4, messagesSent: 0 },
};
const names = Object.keys(erasing) as Erasing[];
const erase = (name: Erasing, uid: string, { sales, ...counts } = held[name]) =>
  service.announce(erasing[name].erased, { uid, counts, sales });

const receiptsTo = async (email: string) =>
  (await realm.mailsTo(email)).filter((mail) => mail.subject === subject);
const receipt = async ({ email }: RealmPerson) => {
  await waitFor(async () => expect(await receiptsTo(email)).toHaveLength(1), soon);
  return (await receiptsTo(email))[0]?.text ?? '';
};

async function rowOf(uid: string) {
  const { rows } = await client.query<Record<string, unknown>>(
    'SELECT address, display_name, removed_at, finished_at, erased FROM account_deletion WHERE uid = $1',
    [uid],
  );
  return rows[0];
}
const finished = (uid: string) =>
  waitFor(async () => expect((await rowOf(uid))?.['finished_at']).toEqual(expect.any(Date)), soon);

async function recordsOf({ uid, email }: RealmPerson): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT (SELECT count(*) FROM account WHERE uid = $1 OR email = $2)
          + (SELECT count(*) FROM account_change WHERE uid = $1)
          + (SELECT count(*) FROM link_change WHERE uid = $1)
          + (SELECT count(*) FROM account_deletion WHERE address = $2) AS count`,
    [uid, email],
  );
  return Number(rows[0]?.count);
}

test('deleting an account ends its sessions, removes it from Keycloak and mails one receipt', async () => {
  const person = await aPerson();
  const { uid } = person;
  const moved = { id: randomUUID(), uid, offeringId: null, before: [], after: [], follows: false };
  await service.announce(creators.paymentsMoved, { ...moved, at: new Date().toISOString() });
  await waitFor(async () => expect(await recordsOf(person)).toBe(2), soon);
  await service.ask(identity.deleteAccount, words, callerOf(person));
  await service.ask(identity.deleteAccount, words, callerOf(person));
  await service.events.next(identity.sessionEnded, (facts) => facts.uid === uid && facts.sid === null);
  await service.events.next(identity.closed, (facts) => facts.uid === uid);
  await expect(realm.find(uid)).rejects.toThrow();
  await expect(realm.signIn(person)).rejects.toThrow();
  for (const name of names) await erase(name, uid);
  const text = await receipt(person);
  expect(text).toMatch(/^Hello Ada Marsh,\s/);
  expect(text).toContain(
    '- 1 profile\n- 3 offerings\n- 3 pictures\n- 1 file\n- 2 sales\n- 4 messages to you\n- 0 messages by you',
  );
  await finished(uid);
  expect(await rowOf(uid)).toMatchObject({ address: null, display_name: null, erased: held });
  expect(await recordsOf(person)).toBe(0);
});

test('a receipt goes to the address that the token proves if identity has no account', async () => {
  const [proved, unproved] = [await realm.signUp(), await realm.signUp()];
  await service.ask(identity.deleteAccount, words, { ...callerOf(proved), emailVerified: true });
  await service.ask(identity.deleteAccount, words, { ...callerOf(unproved), emailVerified: false });
  for (const { uid } of [proved, unproved]) for (const name of names) await erase(name, uid);
  expect(await receipt(proved)).toMatch(/^Hello,\s/);
  await finished(unproved.uid);
  expect(await receiptsTo(unproved.email)).toEqual([]);
});

test('a receipt goes to the address that Keycloak verified if identity has no account', async () => {
  const person = await realm.signUp();
  await realm.change(person.uid, { emailVerified: true });
  await service.ask(identity.deleteAccount, words, { ...callerOf(person), emailVerified: false });
  for (const name of names) await erase(name, person.uid);
  expect(await receipt(person)).toMatch(/^Hello,\s/);
});

test('a token of a deleted account does not create it again', async () => {
  const person = await aPerson();
  await service.ask(identity.deleteAccount, words, callerOf(person));
  await expect(service.ask(identity.open, {}, callerOf(person))).rejects.toMatchObject({ code: 'forbidden' });
});

test('a session without a recent log-in deletes nothing [identity-4]', async () => {
  const person = await aPerson();
  const before = Date.now() - limits.freshLoginMinutes * 60_000 - 1000;
  for (const authenticatedAt of [undefined, new Date(before).toISOString()]) {
    const deletion = service.ask(identity.deleteAccount, words, { ...callerOf(person), authenticatedAt });
    await expect(deletion).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(await rowOf(person.uid)).toBeUndefined();
  expect(await realm.find(person.uid)).toMatchObject({ email: person.email });
});

test('a wrong confirmation deletes nothing', async () => {
  const person = await aPerson();
  const deletion = service.ask(identity.deleteAccount, { confirmation: 'yes' } as never, callerOf(person));
  await expect(deletion).rejects.toMatchObject({ code: 'invalid_input' });
  expect(await rowOf(person.uid)).toBeUndefined();
});

test.each(names)('no receipt is mailed before %s has answered, and its first answer counts', async (late) => {
  const person = await aPerson();
  const { uid, email } = person;
  await service.ask(identity.deleteAccount, words, callerOf(person));
  await service.events.next(identity.closed, (facts) => facts.uid === uid);
  for (const name of names.filter((other) => other !== late)) {
    await erase(name, uid);
    await erase(name, uid, { profiles: 0, messagesReceived: 0 });
  }
  const three = names.filter((other) => other !== late).map((name) => [name, held[name]]);
  await waitFor(
    async () => expect(await rowOf(uid)).toMatchObject({ erased: Object.fromEntries(three) }),
    soon,
  );
  expect(await receiptsTo(email)).toEqual([]);
  // Makes the deletion due, as after five minutes without an answer of the service.
  await client.query('UPDATE account_deletion SET next_try_at = now() WHERE uid = $1', [uid]);
  const published = () => service.events.all(identity.closed).filter((facts) => facts.uid === uid).length;
  await waitFor(() => expect(published()).toBe(2), soon);
  expect(await receiptsTo(email)).toEqual([]);
  await erase(late, uid);
  expect(await receipt(person)).toContain('- 4 messages to you');
  await finished(uid);
});

test('erasure events of an account without a deletion request are ignored', async () => {
  const uid = randomUUID();
  for (const name of names) await erase(name, uid);
  const person = await aPerson();
  await service.ask(identity.deleteAccount, words, callerOf(person));
  for (const name of names) await erase(name, person.uid);
  await finished(person.uid);
  expect(await rowOf(uid)).toBeUndefined();
});

// These tests come last, because they stop the first process. The next one continues when the lease ends.
const steps = {
  'before the account is removed': '',
  'after the removal, before its record': 'gone',
  'while the services erase': 'gone, removed',
  'before the receipt is mailed': 'gone, removed, erased',
};
test.each(Object.entries(steps))(
  'a deletion that a process left %s is finished by the next [identity-5]',
  async (_, done) => {
    await service.app.close();
    const person = await realm.signUp();
    const { uid, username, email } = person;
    await client.query(
      `INSERT INTO account (uid, username, email, claims_issued_at)
       VALUES ($1, $2, $3, now())`,
      [uid, username, email],
    );
    await client.query(
      `INSERT INTO account_deletion (id, uid, address, removed_at, erased, attempts, next_try_at)
     VALUES (gen_random_uuid(), $1, $2, CASE WHEN $3 THEN now() END, $4, 1, now() + interval '2 seconds')`,
      [uid, email, done.includes('removed'), done.includes('erased') ? held : {}],
    );
    if (done.includes('gone')) await realm.delete(uid);
    const next = await runService(IdentityModule);
    try {
      await service.events.next(identity.closed, (facts) => facts.uid === uid);
      if (!done.includes('erased')) for (const name of names) await erase(name, uid);
      expect(await receipt(person)).toContain('- 3 offerings');
      await finished(uid);
      expect(await recordsOf(person)).toBe(0);
      await expect(realm.find(uid)).rejects.toThrow();
    } finally {
      await next.stop();
    }
  },
);
