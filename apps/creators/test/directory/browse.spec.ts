import { creators, offerings, type ProfileChanges } from '@stoa/contracts';
import {
  makeOfferingFacts,
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  testParts,
  waitFor,
  withClient,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { filterOf, publicStatements } from '../../src/directory/public-creators.statements.ts';
import { parseSearch } from '../../src/directory/search-text.ts';
import { changes, makeCreatorOf, startCreators } from '../creators-under-test.ts';

let service: ServiceUnderTest;
const aCreator = (more?: Partial<ProfileChanges>) => makeCreatorOf(service, more);

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

test.each([
  ['zoe angstrom', 'without accents'],
  ['ZOË', 'in capitals'],
  ['100%_real', 'with % and _ taken literally'],
])('search finds %s (%s) [creators-2]', async (search) => {
  const marker = `m${crypto.randomUUID().slice(0, 8)}`;
  const match = await aCreator({ bio: `${marker} 100%_real` });
  await aCreator({ displayName: 'Nobody Else', bio: `${marker} 100xyreal` });
  const page = await service.ask(creators.browse, { search, limit: 60 });
  const uids = page.items.map(({ uid }) => uid);
  expect(uids).toContain(match.uid);
  expect(page.items.every(({ displayName }) => displayName !== 'Nobody Else')).toBe(true);
});

test.each(['q', 'Q̀z', 'zq'])('%s matches prefixes of words, not infixes', async (search) => {
  const begins = await aCreator({ bio: 'A qzarina (zqarina)' });
  const signed = await aCreator({ bio: 'Behind a sign: a-qz!zq' });
  const holds = await aCreator({ bio: 'xqz xzq' });
  const page = await service.ask(creators.browse, { search, limit: 60 });
  const uids = page.items.map(({ uid }) => uid);
  expect(uids).toEqual(expect.arrayContaining([begins.uid, signed.uid]));
  expect(uids).not.toContain(holds.uid);
});

interface Case {
  name?: string;
  username?: string;
  title?: string;
  finds: string[];
  not?: string[];
}
const cases = JSON.parse(readFileSync(new URL('../cases/searches.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

test.each(cases.cases)(
  'search finds $name $username $title by its searches only [creators-3]',
  async (one) => {
    // A random word, so that no search of another case finds it.
    const caller = makeCaller({
      username: one.username ?? `xk${randomUUID().replaceAll('-', '').slice(0, 20)}`,
    });
    await service.ask(creators.open, {}, caller);
    const { name: displayName = 'Ama', title = '', finds, not = [] } = one;
    // Format characters are invalid in a profile.
    const bio = title.replace(/\p{Cf}/gu, '');
    await service.ask(creators.update, changes({ contactBy: 'email', displayName, bio, niches: [] }), caller);
    const isFound = async (search: string) => {
      const { items } = await service.ask(creators.browse, { search, limit: 60 });
      return items.some(({ uid }) => uid === caller.uid);
    };
    const found = await Promise.all([...finds, ...not].map(isFound));
    expect([...finds, ...not].filter((_, index) => found[index])).toEqual(finds);
  },
);

test('an edit keeps the searchable forms of the username', async () => {
  const caller = makeCaller({ username: `a_b-${randomUUID().slice(0, 8)}` });
  await service.ask(creators.open, {}, caller);
  const textOf = () =>
    withClient(service.databaseUrl, async (client) => {
      const { rows } = await client.query<{ text: string }>(
        'SELECT search_text AS text FROM creator WHERE uid = $1',
        [caller.uid],
      );
      return rows[0]?.text.split('\n').slice(-3);
    });
  const opened = await textOf();
  await service.ask(creators.update, changes({ bio: 'New' }), caller);
  expect(await textOf()).toEqual(opened);
  expect(opened).toEqual([
    ` ${caller.username}`,
    ` ${caller.username.replace(/[-_]/g, ' ')}`,
    ` ${caller.username.replace(/[-_]/g, '')}`,
  ]);
});

test('search finds a creator by niche and other words in any order [creators-4]', async () => {
  const mark = `n${randomUUID().slice(0, 8)}`;
  const { uid } = await aCreator({ displayName: `Okafor ${mark}`, niches: ['Healer'] });
  for (const search of [`healer ${mark}`, `${mark} HEALER okafor`]) {
    const { items } = await service.ask(creators.browse, { search, limit: 3 });
    expect({ search, uids: items.map((one) => one.uid) }).toEqual({ search, uids: [uid] });
  }
  expect((await service.ask(creators.browse, { search: `poet ${mark}`, limit: 3 })).total).toBe(0);
});

test('every word of a long query must match [creators-5]', async () => {
  const words = Array.from({ length: 6 }, () => `w${randomUUID().slice(0, 8)}`);
  const { uid } = await aCreator({ bio: words.slice(0, 5).join(' ') });
  const total = async (search: string) => (await service.ask(creators.browse, { search, limit: 3 })).total;
  expect(await total(words.slice(0, 5).toReversed().join(' '))).toBe(1);
  expect(await total(words.join(' '))).toBe(0);
  expect(uid).toBeTruthy();
});

test('a search for ignored punctuation lists all creators', async () => {
  const { uid } = await aCreator();
  const { items } = await service.ask(creators.browse, { search: '’', limit: 1 });
  expect(items.map((one) => one.uid)).toEqual([uid]);
});

test('a search text of another release is folded again [creators-6]', async () => {
  const mark = `z${randomUUID().slice(0, 8)}`;
  const { uid } = await aCreator({ displayName: `Straße ${mark}`, bio: '' });
  await withClient(service.databaseUrl, (client) =>
    client.query('UPDATE creator SET search_text = $2 WHERE uid = $1', [uid, ` straße ${mark}`]),
  );
  await waitFor(
    async () => {
      const { items } = await service.ask(creators.browse, { search: `strasse ${mark}`, limit: 3 });
      expect(items.map((one) => one.uid)).toEqual([uid]);
    },
    { timeout: 20_000 },
  );
});

test('search finds an @username, and a name with any apostrophe [creators-7]', async () => {
  const mark = crypto.randomUUID().slice(0, 8);
  const caller = await aCreator({ displayName: `Siobhán O\u2019Brien${mark}`, bio: '' });
  for (const search of [
    `@${caller.username}`,
    `o'brien${mark}`,
    `O\u2019Brien${mark}`,
    `siobhan o\u02bcbrien${mark}`,
  ]) {
    const { items } = await service.ask(creators.browse, { search, limit: 3 });
    expect({ search, uids: items.map(({ uid }) => uid) }).toEqual({ search, uids: [caller.uid] });
  }
});

test('a search for punctuation alone finds it', async () => {
  const caller = await aCreator({ bio: 'Brushes 🎨🎨🎨 and ink' });
  const { items } = await service.ask(creators.browse, { search: '🎨🎨🎨', limit: 3 });
  expect(items.map(({ uid }) => uid)).toEqual([caller.uid]);
});

test('complete profiles come first, then the newest, across pages', async () => {
  const bio = `order${crypto.randomUUID().slice(0, 8)}`;
  const profileImage = randomPicture({ path: 'profile_pictures/a/d' });
  const offers = async (creatorId: string) => {
    const tally = { count: 1, asOf: 1 };
    const facts = makeOfferingFacts({ creatorId, publicChange: 1, tally });
    await service.announce(offerings.published, facts);
    await service.events.next(creators.counted, ({ uid }) => uid === creatorId);
  };
  const older = await aCreator({ bio, profileImage });
  const newer = await aCreator({ bio, profileImage });
  const withoutPicture = await aCreator({ bio });
  const withoutOffering = await aCreator({ bio, profileImage });
  for (const { uid } of [newer, withoutPicture, older]) await offers(uid);

  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.ask(creators.browse, { search: bio, limit: 1, cursor });
    seen.push(...page.items.map(({ uid }) => uid));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual([newer, older, withoutOffering, withoutPicture].map(({ uid }) => uid));
});

test('the total is exact up to 1,000 matches', async () => {
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  for (const [word, count] of Object.entries({ exactthousand: 1000, overthousand: 1001 }))
    await database.query(
      `INSERT INTO creator (uid, username, email, display_name, search_text, niches, published)
       SELECT gen_random_uuid(), $1 || '-' || n, '', $1, U&'\\001e ' || $1, '{Healer}', true FROM generate_series(1, $2::int) AS n`,
      [word, count],
    );
  await database.end();
  const counted = async (search: string) => {
    const page = await service.ask(creators.browse, { search, limit: 1 });
    return [page.total, page.totalIsExact];
  };
  expect(await counted('exactthousand')).toEqual([1000, true]);
  expect(await counted('overthousand')).toEqual([1000, false]);
  const both = await service.ask(creators.browse, { search: 'thousand', niche: 'Healer', limit: 1 });
  expect([both.total, both.totalIsExact]).toEqual([1000, false]);
  const next = await service.ask(creators.browse, { search: 'thousand', limit: 1, cursor: both.nextCursor! });
  expect([next.total, next.totalIsExact]).toEqual([1000, false]);
});

test('the total is exact for a word that only the newest have, but not for punctuation', async () => {
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  const word = `newest${crypto.randomUUID().slice(0, 8)}`;
  // The word and the punctuation are in the 300 newest and the 500 oldest profiles, and in none between.
  await database.query(
    `INSERT INTO creator (uid, username, email, display_name, search_text, niches, created_at, published)
     SELECT gen_random_uuid(), $1 || '-' || n, '', '',
            CASE WHEN n <= 300 OR n > 12500 THEN U&'\\001e\\001e ' || $1 || ' ☂☂☂' ELSE U&'\\001e\\001e' END,
            CASE WHEN n <= 300 OR n > 12500 THEN '{Musician}' ELSE '{}' END::text[],
            now() + interval '1 day' - n * interval '1 s', true
       FROM generate_series(1, 13000) AS n`,
    [word],
  );
  const counted = async (filter: { search?: string; niche?: 'Musician' }) => {
    const { total, totalIsExact } = await service.ask(creators.browse, { ...filter, limit: 1 });
    return [total, totalIsExact];
  };
  try {
    expect(await counted({ search: word })).toEqual([800, true]);
    expect(await counted({ niche: 'Musician' })).toEqual([800, true]);
    expect(await counted({ search: word, niche: 'Musician' })).toEqual([800, true]);
    expect(await counted({ search: '☂☂☂' })).toEqual([300, false]);
    expect((await service.ask(creators.browse, { search: '☂☂☂', limit: 60 })).totalIsExact).toBe(false);
  } finally {
    await database.query("DELETE FROM creator WHERE username LIKE $1 || '-%'", [word]);
    await database.end();
  }
});

test('search finds a rare word in a common niche behind the scanned rows', async () => {
  const database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
  const word = `deep${crypto.randomUUID().slice(0, 8)}`;
  await database.query(
    `INSERT INTO creator (uid, username, email, display_name, search_text, niches, created_at, published)
     SELECT gen_random_uuid(), $1 || '-' || n, '', '', CASE WHEN n <= 3 THEN U&'\\001e ' || $1 ELSE U&'\\001e' END,
            CASE WHEN n = 1 THEN '{Poet}' ELSE '{Healer}' END::text[], timestamptz '2020-01-01' + n * interval '1 s', true
       FROM generate_series(1, 4000) AS n`,
    [word],
  );
  const found = async (niche: 'Healer' | 'Poet') => {
    const { items, total } = await service.ask(creators.browse, { search: word, niche, limit: 1 });
    return [items.map(({ username }) => username), total];
  };
  // The search must work with and without statistics. Only the owner of the table may run ANALYZE.
  const { adminUrl } = testParts().postgres;
  const asAdmin = Object.assign(new URL(adminUrl), { pathname: new URL(service.databaseUrl).pathname }).href;
  for (const analyse of ['SELECT', 'ANALYZE creator']) {
    await withClient(asAdmin, (client) => client.query(analyse));
    expect(await found('Healer')).toEqual([[`${word}-3`], 2]);
    expect(await found('Poet')).toEqual([[`${word}-1`], 1]);
  }
  await database.end();
});

test.each([
  ['a word', [['%word%']], undefined, false],
  ['two words, one of them hyphened', [['%word%'], ['%a b%', '%ab%']], undefined, false],
  ['five words', [['%word%'], ['%a%'], ['%b%'], ['%c%'], ['%d%']], undefined, false],
  ['a niche', [], 'Poet', false],
  ['both', [['%word%']], 'Poet', false],
  ['both, by the word alone', [['%word%']], 'Poet', true],
] as const)('an index lookup for %s does not read the list index', async (_, words, niche, byWordAlone) => {
  const { filter, values } = filterOf(words, niche);
  const { text } = publicStatements(false).lookUp(filter, byWordAlone);
  const quoted = values.map((value) =>
    Array.isArray(value) ? `'{${value.join(',')}}'` : `'${String(value)}'`,
  );
  const first = [`'infinity'`, `'ffffffff-ffff-ffff-ffff-ffffffffffff'`, '25'];
  const plan = await withClient(service.databaseUrl, async (client) => {
    // With these settings and few rows, Postgres chooses the index of the list whenever the query allows it.
    await client.query('SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off');
    await client.query('SET enable_bitmapscan = off');
    await client.query(`PREPARE search AS ${text}`);
    return client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN EXECUTE search (${[...quoted, 'true', ...first].join(', ')})`,
    );
  });
  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('creator_list_idx');
});

test.each(['ai', '3巻', '3', '本'])('a search for %s reads the word index', async (search) => {
  const { filter, values } = filterOf(parseSearch(search).words, undefined);
  const { text } = publicStatements(false).count(filter, 'index');
  const plan = await withClient(service.databaseUrl, async (client) => {
    await client.query('SET enable_seqscan = off');
    await client.query(`PREPARE search AS ${text}`);
    return client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE search ('${String(values[0])}', 1001)`);
  });
  const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(lines).toContain('Bitmap Index Scan on creator_search_text_idx');
  expect(lines).toContain(`'% ${search}%'`);
});

test('pagination returns every match once, newest first, with the total', async () => {
  const marker = `walk${crypto.randomUUID().slice(0, 8)}`;
  const made: string[] = [];
  for (let i = 0; i < 7; i += 1) made.unshift((await aCreator({ bio: marker, niches: ['Poet'] })).uid);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await service.ask(creators.browse, { search: marker, niche: 'Poet', limit: 3, cursor });
    expect(page.total).toBe(7);
    seen.push(...page.items.map(({ uid }) => uid));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(made);
  expect((await service.ask(creators.browse, { search: marker, niche: 'Coach', limit: 3 })).total).toBe(0);
});

test.each([
  ['a NUL in a query', { search: 'a\u0000b', limit: 3 }],
  [
    'a cursor before time',
    {
      cursor: Buffer.from(
        '{"createdAt":"0000-01-01T00:00:00Z","uid":"4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11"}',
      ).toString('base64url'),
      limit: 3,
    },
  ],
] as const)('%s is invalid input, not an internal error', async (_, query) => {
  await expect(service.ask(creators.browse, query)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a forged cursor is refused [creators-8]', async () => {
  const refused = service.ask(creators.browse, { cursor: 'bm90IG91cnM', limit: 3 });
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input', fields: [{ field: 'cursor' }] });
});

test('a card truncates the bio to 75 characters, an emoji counted as one', async () => {
  const marker = `bio${crypto.randomUUID().slice(0, 8)}`;
  await aCreator({ bio: `${marker}${'🧑🏽‍🎨'.repeat(80)}` });
  const { items } = await service.ask(creators.browse, { search: marker, limit: 1 });
  expect(items[0]!.bioPreview).toBe(`${marker}${'🧑🏽‍🎨'.repeat(75 - marker.length)}`);
});
