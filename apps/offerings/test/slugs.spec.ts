import { type Caller, type NewOffering, offerings, PublicOffering } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';
import { freeSlug, slugBase } from '../src/slug.ts';

let service: ServiceUnderTest;
let database: Client;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  database = new Client({ connectionString: service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.stop();
});
beforeEach(() => {
  caller = makeCaller();
});

function aDraft(title: string): NewOffering {
  const link = 'https://pay.example.com/letters';
  return {
    title,
    description: '',
    price: '€12',
    type: 'eBook',
    paymentUrl: link,
    coverImage: randomPicture(),
  };
}

const create = (title: string, by = caller) => service.ask(offerings.create, aDraft(title), by);
const rename = (id: string, title: string) => service.ask(offerings.update, { ...aDraft(title), id }, caller);
const archive = (id: string) =>
  service.ask(offerings.update, { ...aDraft('Books'), id, state: 'archived' }, caller);
const find = (slug: string, creatorId = caller.uid) => service.ask(offerings.findPublic, { creatorId, slug });

it('an offering is found by the slug of its title, with its public fields', async () => {
  const made = await create('Café: twelve letters');
  expect(made.slug).toBe('cafe-twelve-letters');
  const seen = PublicOffering.parse(made);
  expect(await find('cafe-twelve-letters')).toEqual(seen);
  expect(await find('CAFE-Twelve-letters')).toEqual(seen);
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(items).toEqual([seen]);
});

it('two offerings of one title get different slugs, also concurrently', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => create('Twin')));
  expect(made.map(({ slug }) => slug).toSorted()).toEqual(['twin', 'twin-2', 'twin-3', 'twin-4', 'twin-5']);
  expect(await create('Twin', makeCaller())).toMatchObject({ slug: 'twin' });
});

it('a new title gives a new slug, and old ones still find the offering', async () => {
  const { id } = await create('First');
  expect(await rename(id, 'First!')).toMatchObject({ slug: 'first' });
  expect(await rename(id, 'Second')).toMatchObject({ slug: 'second' });
  expect(await rename(id, 'Third')).toMatchObject({ slug: 'third' });
  for (const slug of ['first', 'second', 'third', id])
    expect(await find(slug)).toMatchObject({ id, slug: 'third' });
  expect(await create('First')).toMatchObject({ slug: 'first-2' });
  expect(await rename(id, 'First')).toMatchObject({ slug: 'first' });
});

it('old slugs are bounded: the oldest lead nowhere, and never to another offering', async () => {
  const { id } = await create('Title 0');
  for (let number = 1; number <= 21; number += 1) await rename(id, `Title ${number}`);
  await expect(find('title-0')).rejects.toMatchObject({ code: 'not_found' });
  expect(await find('title-1')).toMatchObject({ slug: 'title-21' });
  expect(await create('Title 0')).toMatchObject({ slug: 'title-0-2' });
  await expect(find('title-0')).rejects.toMatchObject({ code: 'not_found' });
  expect(await rename(id, 'Title 0')).toMatchObject({ id, slug: 'title-0' });
});

it('no address of a removed offering shows another one, whatever it was called', async () => {
  const { id } = await create('Кулинарная книга');
  await rename(id, 'Books');
  await service.ask(offerings.remove, { id }, caller);
  expect(await create('Books')).toMatchObject({ slug: 'books-2' });
  expect(await create('Кулинарная книга')).toMatchObject({ slug: 'kulinarnaya-kniga-2' });
  for (const slug of ['books', 'kulinarnaya-kniga', id])
    await expect(find(slug)).rejects.toMatchObject({ code: 'not_found' });
  expect(await create('Books', makeCaller())).toMatchObject({ slug: 'books' });
});

type Step = ['publish' | 'draft' | 'rename', string, string] | ['remove' | 'archive', string];
const { histories } = JSON.parse(readFileSync(new URL('../cases/slugs.json', import.meta.url), 'utf8')) as {
  readonly histories: readonly { steps: Step[]; shows: Record<string, string | null> }[];
};

it.each(histories)('$steps leaves addresses that show $shows', async ({ steps, shows }) => {
  const ids = new Map<string, string>();
  const states = { publish: 'published', draft: 'draft' } as const;
  for (const [act, name, title = ''] of steps) {
    const id = ids.get(name) ?? '';
    if (act === 'remove') await service.ask(offerings.remove, { id }, caller);
    else if (act === 'rename') await rename(id, title);
    else if (act === 'archive') await archive(id);
    else {
      const state = states[act];
      ids.set(name, (await service.ask(offerings.create, { ...aDraft(title), state }, caller)).id);
    }
  }
  for (const [slug, name] of Object.entries(shows)) {
    const seen = await find(slug).then(
      ({ id }) => id,
      ({ code }: { code: string }) => code,
    );
    expect([slug, seen]).toEqual([slug, name === null ? 'not_found' : ids.get(name)]);
  }
});

it('the address of an archived or hidden offering is kept for it', async () => {
  const { id } = await create('Kept');
  for (const state of ['archived', 'hidden', 'draft'] as const) {
    await service.ask(offerings.update, { ...aDraft('Kept'), id, state }, caller);
    expect((await create('Kept')).slug).not.toBe('kept');
    await expect(find('kept')).rejects.toMatchObject({ code: 'not_found' });
  }
  await service.ask(offerings.update, { ...aDraft('Kept'), id, state: 'published' }, caller);
  expect(await find('kept')).toMatchObject({ id });
});

it('a draft that visitors never saw leaves its address to others', async () => {
  const { id } = await service.ask(offerings.create, { ...aDraft('Unseen'), state: 'draft' }, caller);
  await service.ask(offerings.remove, { id }, caller);
  expect(await create('Unseen')).toMatchObject({ slug: 'unseen' });
});

it('an unknown, foreign or removed slug is not_found', async () => {
  const { id } = await create('Mine');
  for (const refused of [find('theirs'), find('mine', makeCaller().uid), find(id, makeCaller().uid)])
    await expect(refused).rejects.toMatchObject({ code: 'not_found', message: 'Offering not found.' });
  await service.ask(offerings.remove, { id }, caller);
  for (const slug of ['mine', id]) await expect(find(slug)).rejects.toMatchObject({ code: 'not_found' });
  expect(await create('Mine')).toMatchObject({ slug: 'mine-2' });
});

it('listEntries returns the public offerings of the given creators', async () => {
  const { slug, updatedAt } = await create('Mine');
  await create('Theirs', makeCaller());
  const { items } = await service.ask(offerings.listEntries, { creatorIds: [caller.uid, makeCaller().uid] });
  expect(items).toEqual([{ creatorId: caller.uid, slug, updatedAt }]);
});

it('offerings from before there were slugs are found by their id until the migration has given them some', async () => {
  const titles = [
    'Twin',
    'Twin 2',
    'Twin',
    'Ærø & Straße’s',
    'Contact',
    '日本語',
    'ＦＵＬＬ ﬁg',
    `${'x'.repeat(59)} yy`,
  ];
  const made = [];
  for (const title of titles) made.push(await create(title));
  const before = made[0]!;
  // More than one batch, in any order.
  await database.query(`INSERT INTO offering (id, creator_id, title, description, price, type, payment_url)
    SELECT gen_random_uuid(), gen_random_uuid(), 'Letters ' || n, '', '1', '', 'https://e.example/'
      FROM generate_series(1, 2500) AS n`);
  await database.query(`DELETE FROM offering_slug WHERE creator_id = $1`, [caller.uid]);
  await database.query(`UPDATE offering SET slug = NULL WHERE creator_id = $1`, [caller.uid]);
  expect(await find(before.id)).toMatchObject({ slug: before.id });

  const script = new URL(
    '../prisma/migrations/20261122210100_slugs_of_before/migration.sql',
    import.meta.url,
  );
  await database.query(await readFile(script, 'utf8'));
  const { items } = await service.ask(offerings.listOwn, {}, caller);
  const inOrder = items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const taken = new Set<string>();
  for (const { title, slug } of inOrder) {
    // The migration knows no transliteration.
    const base = title === '日本語' ? 'offering' : slugBase(title);
    expect([title, slug]).toEqual([title, freeSlug(base, taken)]);
    taken.add(slug);
  }
  expect(await find(taken.values().next().value ?? '')).toMatchObject({ id: inOrder[0]?.id });
  const { rows } = await database.query(`SELECT count(*)::int AS left FROM offering WHERE slug IS NULL`);
  expect(rows).toEqual([{ left: 0 }]);
});
