import { type Caller, type NewOffering, offerings, PublicOffering } from '@stoa/contracts';
import { makeCaller, randomPicture, type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

let service: ServiceUnderTest;
let database: Client;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
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

it('visitors find the public fields of an offering by the slug of its title', async () => {
  const made = await create('Café: twelve letters');
  expect(made.slug).toBe('cafe-twelve-letters');
  const seen = PublicOffering.parse(made);
  expect(await find('cafe-twelve-letters')).toEqual(seen);
  expect(await find('CAFE-Twelve-letters')).toEqual(seen);
  const { items } = await service.ask(offerings.listPublic, { creatorId: caller.uid });
  expect(items).toEqual([seen]);
});

it('offerings with the same title get different slugs, even concurrently', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => create('Twin')));
  expect(made.map(({ slug }) => slug).toSorted()).toEqual(['twin', 'twin-2', 'twin-3', 'twin-4', 'twin-5']);
  expect(await create('Twin', makeCaller())).toMatchObject({ slug: 'twin' });
});

it('a new title gives a new slug, and former ones still find the offering [offerings-28]', async () => {
  const { id } = await create('First');
  expect(await rename(id, 'First!')).toMatchObject({ slug: 'first' });
  expect(await rename(id, 'Second')).toMatchObject({ slug: 'second' });
  expect(await rename(id, 'Third')).toMatchObject({ slug: 'third' });
  for (const slug of ['first', 'second', 'third', id])
    expect(await find(slug)).toMatchObject({ id, slug: 'third' });
  expect(await create('First')).toMatchObject({ slug: 'first-2' });
  expect(await rename(id, 'First')).toMatchObject({ slug: 'first' });
});

it('the oldest of too many slugs finds nothing, and never another offering [offerings-29]', async () => {
  const { id } = await create('Title 0');
  for (let number = 1; number <= 21; number += 1) await rename(id, `Title ${number}`);
  await expect(find('title-0')).rejects.toMatchObject({ code: 'not_found' });
  expect(await find('title-1')).toMatchObject({ slug: 'title-21' });
  expect(await create('Title 0')).toMatchObject({ slug: 'title-0-2' });
  await expect(find('title-0')).rejects.toMatchObject({ code: 'not_found' });
  expect(await rename(id, 'Title 0')).toMatchObject({ id, slug: 'title-0' });
});

it('no address of a removed offering ever shows another one [offerings-30]', async () => {
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
const { histories } = JSON.parse(
  readFileSync(new URL('../../cases/slugs.json', import.meta.url), 'utf8'),
) as {
  readonly histories: readonly { steps: Step[]; shows: Record<string, string | null> }[];
};

it.each(histories)('after $steps the addresses show $shows', async ({ steps, shows }) => {
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

it('the address of an offering that is not public stays reserved for it', async () => {
  const { id } = await create('Kept');
  for (const state of ['archived', 'hidden', 'draft'] as const) {
    await service.ask(offerings.update, { ...aDraft('Kept'), id, state }, caller);
    expect((await create('Kept')).slug).not.toBe('kept');
    await expect(find('kept')).rejects.toMatchObject({ code: 'not_found' });
  }
  await service.ask(offerings.update, { ...aDraft('Kept'), id, state: 'published' }, caller);
  expect(await find('kept')).toMatchObject({ id });
});

it('the address of a removed draft is free for others', async () => {
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
