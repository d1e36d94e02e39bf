import { type Caller, creators, localTimeOf, type NewOffering, offerings } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
  withClient,
} from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { takeDuePages } from '../src/link-listings.repository.ts';
import { OfferingsModule } from '../src/offerings.module.ts';

const soon = { timeout: 20_000 };
const paymentUrl = 'https://pay.example.com/letters';
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

const letters = (more: Partial<NewOffering> = {}): NewOffering => ({
  ...{ title: 'Letters', description: 'By hand.', price: '€12', paymentUrl },
  ...{ type: 'eBook', coverImage: randomPicture(), ...more },
});
const create = (more?: Partial<NewOffering>) => service.ask(offerings.create, letters(more), caller);
const listed = () => service.events.all(offerings.linksListed).filter(({ uid }) => uid === caller.uid);
const lastListed = (matches: { version: number }) =>
  waitFor(() => expect(listed().at(-1)).toMatchObject(matches), soon).then(() => listed().at(-1));

test('the payment link of a public offering is announced with each version, and none while it is not public', async () => {
  const { id } = await create({ state: 'draft' });
  expect(await lastListed({ version: 1 })).toMatchObject({ offeringId: id, title: 'Letters', links: [] });
  const { title, description, price, type } = letters();
  const form = { id, title, description, price, type };
  const elsewhere = 'https://pay.example.org/letters';
  const cover = { coverImage: randomPicture() };
  await service.ask(
    offerings.update,
    { ...form, ...cover, paymentUrl: elsewhere, state: 'published' },
    caller,
  );
  expect((await lastListed({ version: 2 }))?.links).toEqual([
    { kind: 'payment', label: 'Access Now', url: elsewhere },
  ]);
  await service.ask(offerings.update, { ...form, paymentUrl: elsewhere, state: 'archived' }, caller);
  expect((await lastListed({ version: 3 }))?.links).toEqual([]);
});

test('an offering whose link cannot be announced keeps no other waiting', async () => {
  const broken = await create();
  await lastListed({ version: 1 });
  // No version that the contract takes.
  await withClient(service.databaseUrl, (client) =>
    client.query('UPDATE offering SET version = -5 WHERE id = $1', [broken.id]),
  );
  const { id } = await create();
  await waitFor(() => expect(listed().at(-1)).toMatchObject({ offeringId: id }), soon);
  const left = () =>
    withClient(service.databaseUrl, (client) =>
      client.query('SELECT 1 FROM unlisted_page WHERE id = $1', [broken.id]),
    );
  await waitFor(async () => expect((await left()).rowCount).toBe(0), soon);
});

test.each([
  ['sold out', { state: 'sold_out' }],
  ['full', { type: 'Workshop', seats: 0 }],
  ['over', { type: 'Workshop', schedule: { start: '2026-01-02T10:00', timeZone: 'UTC' } }],
] as const)('what is %s has no link that anybody could follow', async (_, more) => {
  await create(more);
  expect((await lastListed({ version: 1 }))?.links).toEqual([]);
});

test('a workshop is announced without its link once it is over', async () => {
  const start = localTimeOf(Date.now() + 86_400_000, 'UTC');
  const { id } = await create({ type: 'Workshop', schedule: { start, timeZone: 'UTC' } });
  expect((await lastListed({ version: 1 }))?.links).toHaveLength(1);
  await withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM unlisted_page WHERE id = $1 AND due_at > now() + interval '1 day'",
      [id],
    );
    expect(rows).toHaveLength(1);
    // Time goes by: it began the day before, and what waits for its end is due.
    await client.query("UPDATE offering SET starts_at = starts_at - interval '3 days' WHERE id = $1", [id]);
    await client.query('UPDATE unlisted_page SET due_at = now() WHERE id = $1', [id]);
  });
  await waitFor(() => expect(listed()).toHaveLength(2), soon);
  expect(listed().at(-1)).toMatchObject({ version: 1, links: [] });
});

test('what is due is found by an index, however many workshops are to come', async () => {
  await withClient(service.databaseUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(`INSERT INTO unlisted_page (id, due_at)
      SELECT gen_random_uuid(), now() + n * interval '1 minute' FROM generate_series(1, 20000) AS n`);
    await client.query('ANALYZE unlisted_page');
    const { rows } = await client.query(`EXPLAIN ${takeDuePages}`);
    const plan = rows.map((row: Record<string, string>) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('unlisted_page_due_at_id_idx');
    expect(plan).not.toContain('Seq Scan');
    await client.query('ROLLBACK');
  });
});

test('what an operator hides has no links any more', async () => {
  const { id } = await create();
  expect((await lastListed({ version: 1 }))?.links).toHaveLength(1);
  await service.announce(creators.reviewed, {
    ...{ id: randomUUID(), uid: caller.uid, offering: { id, title: 'Letters' }, outcome: 'hidden' },
    ...{ reason: 'fraud', text: '', at: new Date().toISOString() },
  });
  expect((await lastListed({ version: 2 }))?.links).toEqual([]);
});

test.each([
  ['links', '20261124160100_unlisted_links_of_before'],
  ['titles', '20261124190000_unlisted_titles_of_before'],
])(
  'offerings from before %s were asked for are announced, and again if that is run again',
  async (_, name) => {
    await create();
    await lastListed({ version: 1 });
    const fill = `../prisma/migrations/${name}/migration.sql`;
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    try {
      const before = listed().length;
      const sql = await readFile(new URL(fill, import.meta.url), 'utf8');
      await client.query(sql);
      await waitFor(() => expect(listed()).toHaveLength(before + 1), soon);
      expect(listed().at(-1)).toEqual(listed()[0]);
      // The release before says nothing of links: the database notes what it changes.
      await client.query(
        'UPDATE offering SET payment_url = $2, version = version + 1 WHERE creator_id = $1',
        [caller.uid, 'https://pay.example.net/'],
      );
      expect((await lastListed({ version: 2 }))?.links[0]?.url).toBe('https://pay.example.net/');
    } finally {
      await client.end();
    }
  },
);
