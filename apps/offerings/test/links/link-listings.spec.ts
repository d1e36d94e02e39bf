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
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { takeDuePages } from '../../src/links/link-listings.repository.ts';
import { OfferingsModule } from '../../src/offerings.module.ts';

const soon = { timeout: 20_000 };
const paymentUrl = 'https://pay.example.com/letters';
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
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

test('each version of an offering is announced, with its payment link only if it is public', async () => {
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

test('an offering whose link cannot be announced does not delay the others', async () => {
  const broken = await create();
  await lastListed({ version: 1 });
  // The contract refuses this version.
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
] as const)('an offering that is %s is announced without its link [offerings-9]', async (_, more) => {
  await create(more);
  expect((await lastListed({ version: 1 }))?.links).toEqual([]);
});

test('a workshop is announced without its link at its end [offerings-10]', async () => {
  const start = localTimeOf(Date.now() + 86_400_000, 'UTC');
  const { id } = await create({ type: 'Workshop', schedule: { start, timeZone: 'UTC' } });
  expect((await lastListed({ version: 1 }))?.links).toHaveLength(1);
  await withClient(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT 1 FROM unlisted_page WHERE id = $1 AND due_at > now() + interval '1 day'",
      [id],
    );
    expect(rows).toHaveLength(1);
    // Simulates the end of the workshop: it began two days ago, and its row is due.
    await client.query("UPDATE offering SET starts_at = starts_at - interval '3 days' WHERE id = $1", [id]);
    await client.query('UPDATE unlisted_page SET due_at = now() WHERE id = $1', [id]);
  });
  await waitFor(() => expect(listed()).toHaveLength(2), soon);
  expect(listed().at(-1)).toMatchObject({ version: 1, links: [] });
});

test('due pages are found by an index, even with many future workshops', async () => {
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

test('an offering that an operator hides is announced without its link [offerings-11]', async () => {
  const { id } = await create();
  expect((await lastListed({ version: 1 }))?.links).toHaveLength(1);
  await service.announce(creators.reviewed, {
    ...{ id: randomUUID(), uid: caller.uid, offering: { id, title: 'Letters' }, outcome: 'hidden' },
    ...{ reason: 'fraud', text: '', at: new Date().toISOString() },
  });
  expect((await lastListed({ version: 2 }))?.links).toEqual([]);
});

const form = () => {
  const { title, description, price, type } = letters();
  return { title, description, price, type, paymentUrl };
};
const hiddenBy: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'its draft': (id) => service.ask(offerings.update, { id, ...form(), state: 'draft' }, caller),
  'its owner': (id) => service.ask(offerings.update, { id, ...form(), state: 'hidden' }, caller),
  'its archive': (id) => service.ask(offerings.update, { id, ...form(), state: 'archived' }, caller),
  'an operator': (id) =>
    service.announce(creators.reviewed, {
      ...{ id: randomUUID(), uid: caller.uid, offering: { id, title: 'Letters' }, outcome: 'hidden' },
      ...{ reason: 'fraud', text: '', at: new Date().toISOString() },
    }),
};

test.each(Object.keys(hiddenBy))(
  'an offering hidden by %s is announced immediately, even with a long queue',
  async (by) => {
    const { id } = await create();
    await lastListed({ version: 1 });
    await withClient(service.databaseUrl, async (client) => {
      // More pages than the sweeper announces in 15 minutes.
      await client.query(`INSERT INTO unlisted_page (id, due_at)
        SELECT gen_random_uuid(), now() - interval '1 hour' FROM generate_series(1, 40000)`);
      try {
        await hiddenBy[by]?.(id);
        expect(await lastListed({ version: 2 })).toMatchObject({ links: [], isPublic: false });
        const { rows } = await client.query('SELECT 1 FROM unlisted_page WHERE id = $1', [id]);
        expect(rows).toEqual([]);
      } finally {
        await client.query("DELETE FROM unlisted_page WHERE due_at <= now() - interval '1 hour'");
      }
    });
  },
);
