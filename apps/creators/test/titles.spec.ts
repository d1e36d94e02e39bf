import { creators, identity, limits, offerings } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { foldedMark } from '../src/search-text.ts';
import { changes, makeCreatorOf, startCreators } from './creators-under-test.ts';

const soon = { timeout: 20_000 };
const paymentLink = { kind: 'payment' as const, label: 'Access Now', url: 'https://pay.example.com/' };
let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

/** A word that no other test has. */
const aWord = () => `w${randomUUID().replaceAll('-', '')}`;
/** As offerings announces what visitors see of one. */
const list = (uid: string, offeringId: string, title: string, version = 1, isSeen = true) =>
  service.announce(offerings.linksListed, {
    ...{ uid, offeringId, title, version },
    links: isSeen ? [paymentLink] : [],
  });
const remove = (creatorId: string, id: string, version: number) =>
  service.announce(offerings.removed, { id, creatorId, coverImageId: null, version, publicChange: -1 });
async function found(search: string): Promise<string[]> {
  const { items } = await service.ask(creators.browse, { search, limit: 60 });
  return items.map(({ uid }) => uid);
}
const finds = (search: string, uids: string[]) =>
  waitFor(async () => expect({ search, uids: await found(search) }).toEqual({ search, uids }), soon);

test('search finds a creator by the title of an offering, without case and accents', async () => {
  const [{ uid }, word] = [await makeCreatorOf(service), aWord()];
  await list(uid, randomUUID(), `Lettres d’Été ${word} (vol-1)`);
  await finds(word.toUpperCase(), [uid]);
  for (const search of [`D'ÉTÉ ${word}`, `lettres d\u2019ete ${word}`]) await finds(search, [uid]);
  const { total, totalIsExact } = await service.ask(creators.browse, { search: word, limit: 3 });
  expect([total, totalIsExact]).toEqual([1, true]);
});

test('no match of a hyphened word spans two titles, or a title and the bio', async () => {
  const [one, other, third] = [aWord(), aWord(), aWord()];
  const { uid } = await makeCreatorOf(service, { bio: `${one} zq` });
  await list(uid, randomUUID(), `${other} zq`);
  await finds(other, [uid]);
  await list(uid, randomUUID(), third);
  await finds(third, [uid]);
  for (const search of [`zq-${other}`, `zq-${third}`]) expect(await found(search)).toEqual([]);
});

test('words of a query are found in name, bio and titles, in any order', async () => {
  const [one, other, third] = [aWord(), aWord(), aWord()].map((word) => word.slice(0, 12));
  const { uid } = await makeCreatorOf(service, {
    displayName: `Haddad ${one}`,
    bio: `Oud from Beirut ${other}`,
  });
  await list(uid, randomUUID(), `Night songs ${third}`);
  await finds(`${third} ${one} ${other}`, [uid]);
  await finds(`songs beirut ${other} haddad`, [uid]);
  expect(await found(`${third} ${one} ${aWord().slice(0, 12)}`)).toEqual([]);
});

test('a title that another release has folded is folded again', async () => {
  const [{ uid }, id, word] = [await makeCreatorOf(service), randomUUID(), aWord()];
  await list(uid, id, `Straße ${word}`);
  await finds(`strasse ${word}`, [uid]);
  await withClient(service.databaseUrl, async (client) => {
    const text = ` straße ${word}`;
    await client.query('UPDATE offering_title SET search_text = $2 WHERE offering_id = $1', [id, text]);
    await client.query('UPDATE creator SET title_text = $2 WHERE uid = $1', [uid, text]);
  });
  await waitFor(async () => expect(await found(`strasse ${word}`)).toEqual([uid]), soon);
});

test('a title of before, of what is hidden and of what is removed finds nothing', async () => {
  const [{ uid }, id, former, word] = [await makeCreatorOf(service), randomUUID(), aWord(), aWord()];
  await list(uid, id, former);
  await finds(former, [uid]);
  await list(uid, id, word, 2);
  await finds(word, [uid]);
  expect(await found(former)).toEqual([]);
  await list(uid, id, word, 3, false);
  await finds(word, []);
  await list(uid, id, word, 4);
  await finds(word, [uid]);
  await remove(uid, id, 5);
  await finds(word, []);
});

test('what comes late does not bring a title back', async () => {
  const [{ uid }, id, word, last] = [await makeCreatorOf(service), randomUUID(), aWord(), aWord()];
  await remove(uid, id, 3);
  await list(uid, id, word, 2);
  // Delivered in order, so that the one before was handled when this one is found.
  await list(uid, randomUUID(), last);
  await finds(last, [uid]);
  expect(await found(word)).toEqual([]);
});

test('an edit of the profile keeps the titles, also one by the release before', async () => {
  const [caller, word, next] = [await makeCreatorOf(service), aWord(), aWord()];
  await list(caller.uid, randomUUID(), word);
  await finds(word, [caller.uid]);
  await service.ask(creators.update, changes({ bio: next }), caller);
  expect([await found(next), await found(word)]).toEqual([[caller.uid], [caller.uid]]);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const text = `${foldedMark} ${aWord()}`;
    await client.query('UPDATE creator SET search_text = $2 WHERE uid = $1', [caller.uid, text]);
    expect([await found(next), await found(word), await found(text.slice(2))]).toEqual([
      ...[[], [caller.uid], [caller.uid]],
    ]);
  } finally {
    await client.end();
  }
});

test('titles that come before their creator are found once that is there', async () => {
  const [later, word] = [randomUUID(), aWord()];
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    await list(later, randomUUID(), word);
    await waitFor(async () => {
      const { rows } = await client.query('SELECT FROM offering_title WHERE creator_id = $1', [later]);
      expect(rows).toHaveLength(1);
    }, soon);
    expect(await found(word)).toEqual([]);
    const caller = { ...makeCaller(), uid: later };
    await service.ask(creators.open, {}, caller);
    await service.ask(creators.update, changes({ contactBy: 'email' }), caller);
    expect(await found(word)).toEqual([later]);
  } finally {
    await client.end();
  }
});

test('a closed account leaves no title, whatever comes late', async () => {
  const [{ uid }, { uid: other }] = [await makeCreatorOf(service), await makeCreatorOf(service)];
  const [word, last] = [aWord(), aWord()];
  await list(uid, randomUUID(), word);
  await finds(word, [uid]);
  await service.announce(identity.closed, { uid, at: new Date().toISOString() });
  await finds(word, []);
  await list(uid, randomUUID(), word);
  await list(other, randomUUID(), last);
  await finds(last, [other]);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query('SELECT FROM offering_title WHERE creator_id = $1', [uid]);
    expect(rows).toEqual([]);
  } finally {
    await client.end();
  }
});

test('complete profiles come first where titles match, and as many titles count as a profile may have short ones', async () => {
  const word = aWord();
  const complete = await makeCreatorOf(service, { profileImage: randomPicture() });
  const facts = { id: randomUUID(), creatorId: complete.uid, coverImageId: null, version: 1 };
  await service.announce(offerings.published, facts);
  await service.events.next(creators.counted, ({ uid }) => uid === complete.uid);
  const later = await makeCreatorOf(service);
  for (const { uid } of [later, complete]) await list(uid, randomUUID(), word);
  await finds(word, [complete.uid, later.uid]);
  const others = Array.from({ length: limits.offeringsPerCreator - 1 }, (_, n) => `Letter ${n + 1}`);
  await Promise.all(others.map((title) => list(later.uid, randomUUID(), title)));
  await waitFor(
    async () => expect(await found(`letter ${limits.offeringsPerCreator - 1}`)).toContain(later.uid),
    soon,
  );
  expect(await found(word)).toEqual([complete.uid, later.uid]);
});
