import { creators, identity, limits, offerings } from '@stoa/contracts';
import {
  adminUrlOf,
  makeOfferingFacts,
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  waitFor,
  withClient,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { foldVersionMark } from '../../src/directory/search-text.ts';
import { changes, makeCreatorOf, startCreators } from '../creators-under-test.ts';

const soon = { timeout: 20_000 };
const paymentLink = { kind: 'payment' as const, label: 'Access Now', url: 'https://pay.example.com/' };
let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

/** A random word, which no other test uses. */
const aWord = () => `w${randomUUID().replaceAll('-', '')}`;
/** Publishes the title of an offering, as the offerings service does. */
const list = (uid: string, offeringId: string, title: string, version = 1, isSeen = true) =>
  service.announce(offerings.linksListed, {
    ...{ uid, offeringId, title, version },
    links: isSeen ? [paymentLink] : [],
    isPublic: isSeen,
  });
const remove = (creatorId: string, id: string, version: number) =>
  service.announce(offerings.removed, makeOfferingFacts({ id, creatorId, version, publicChange: -1 }));
async function found(search: string): Promise<string[]> {
  const { items } = await service.ask(creators.browse, { search, limit: 60 });
  return items.map(({ uid }) => uid);
}
const finds = (search: string, uids: string[]) =>
  waitFor(async () => expect({ search, uids: await found(search) }).toEqual({ search, uids }), soon);

test('search finds a creator by an offering title, without case and accents [creators-37]', async () => {
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

test('search finds words in name, bio and titles, in any order [creators-38]', async () => {
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

test('a title of another release is folded again', async () => {
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

test('search finds short words in a title without spaces, also of another release', async () => {
  const [{ uid }, id, word] = [await makeCreatorOf(service), randomUUID(), aWord()];
  await list(uid, id, `${word} はじめてのAI講座 全3巻`);
  const all = async () => {
    for (const search of ['AI', '3巻', 'ＡＩ', '講座']) await finds(`${word} ${search}`, [uid]);
    expect(await found(`${word} I講`)).toEqual([]);
  };
  await all();
  await withClient(service.databaseUrl, async (client) => {
    const text = ` ${word} はじめてのai講座 全3巻`;
    await client.query('UPDATE offering_title SET search_text = $2 WHERE offering_id = $1', [id, text]);
    await client.query('UPDATE creator SET title_text = $2 WHERE uid = $1', [uid, text]);
  });
  await all();
});

test('a text that cannot be folded does not stop the others', async () => {
  const makers = await Promise.all(Array.from({ length: 3 }, () => makeCreatorOf(service)));
  const [first, , last] = makers.map(({ uid }) => uid).toSorted();
  const [word, title] = [aWord(), aWord()];
  const client = new Client({ connectionString: adminUrlOf(service) });
  await client.connect();
  const refuse = (table: string, column: string) =>
    client.query(`
      CREATE FUNCTION refuse_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'this row cannot be written'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH ROW
        WHEN (OLD.${column} = '${first}' AND left(OLD.search_text, 1) <> U&'\\001e') EXECUTE FUNCTION refuse_${table}()`);
  try {
    for (const uid of [first, last]) await list(String(uid), randomUUID(), `Straße ${title}`);
    await waitFor(async () => expect((await found(title)).toSorted()).toEqual([first, last]), soon);
    await client.query(
      `WITH titles AS (UPDATE offering_title SET search_text = ' straße ' || $2 WHERE creator_id = ANY($1))
       UPDATE creator SET search_text = ' straße ' || $3, display_name = 'Straße ' || $3, title_text = '' WHERE uid = ANY($1)`,
      [[first, last], title, word],
    );
    await refuse('creator', 'uid');
    await refuse('offering_title', 'creator_id');
    await finds(`strasse ${word}`, [String(last)]);
    await finds(`strasse ${title}`, [String(last)]);
  } finally {
    for (const table of ['creator', 'offering_title'])
      await client.query(`DROP TRIGGER IF EXISTS refuse ON ${table}`);
    await client.end();
  }
  await waitFor(async () => expect((await found(`strasse ${word}`)).toSorted()).toEqual([first, last]), soon);
});

test('search finds no former title and no title of a hidden or removed offering [creators-39]', async () => {
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

test('the count of a removed offering is announced after its title is deleted', async () => {
  const [{ uid }, id, word] = [await makeCreatorOf(service), randomUUID(), aWord()];
  const facts = makeOfferingFacts({ id, creatorId: uid, publicChange: 1, tally: { count: 1, asOf: 1 } });
  await service.announce(offerings.published, facts);
  await list(uid, id, word);
  await finds(word, [uid]);
  const known = service.events.all(creators.counted).length;
  await service.announce(offerings.removed, {
    ...facts,
    version: 2,
    publicChange: -1,
    tally: { count: 0, asOf: 2 },
  });
  await waitFor(() => expect(service.events.all(creators.counted).length).toBeGreaterThan(known), soon);
  // Caches search again when they get the event, so the title must already be deleted.
  expect(await found(word)).toEqual([]);
});

test('a late event does not restore a title', async () => {
  const [{ uid }, id, word, last] = [await makeCreatorOf(service), randomUUID(), aWord(), aWord()];
  await remove(uid, id, 3);
  await list(uid, id, word, 2);
  // The service handles events in order. When this title is found, the event before it has been handled.
  await list(uid, randomUUID(), last);
  await finds(last, [uid]);
  expect(await found(word)).toEqual([]);
});

test('an edit of the profile keeps the titles', async () => {
  const [caller, word, next] = [await makeCreatorOf(service), aWord(), aWord()];
  await list(caller.uid, randomUUID(), word);
  await finds(word, [caller.uid]);
  await service.ask(creators.update, changes({ bio: next }), caller);
  expect([await found(next), await found(word)]).toEqual([[caller.uid], [caller.uid]]);
  const client = new Client({ connectionString: service.databaseUrl });
  await client.connect();
  try {
    const text = `${foldVersionMark} ${aWord()}`;
    await client.query('UPDATE creator SET search_text = $2 WHERE uid = $1', [caller.uid, text]);
    expect([
      await found(next),
      await found(word),
      await found(text.slice(foldVersionMark.length + 1)),
    ]).toEqual([...[[], [caller.uid], [caller.uid]]]);
  } finally {
    await client.end();
  }
});

test('a title that arrives before its creator is found once the creator exists', async () => {
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

test('a closed account leaves no title, even after a late event', async () => {
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

test('complete profiles come first, and the maximum of short titles is searchable', async () => {
  const word = aWord();
  const complete = await makeCreatorOf(service, { profileImage: randomPicture() });
  const tally = { count: 1, asOf: 1 };
  const facts = makeOfferingFacts({ creatorId: complete.uid, publicChange: 1, tally });
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
