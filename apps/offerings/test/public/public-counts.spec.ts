import { type Caller, type NewOffering, offerings } from '@stoa/contracts';
import {
  makeCaller,
  randomPicture,
  type ServiceUnderTest,
  startServiceUnderTest,
  waitFor,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

const soon = { timeout: 20_000 };
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  const environment = { COUNT_PAGE_MS: '500' };
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder, environment });
});
afterAll(() => service.stop());
beforeEach(() => {
  caller = makeCaller();
});

const letters = (state: NewOffering['state'] = 'published'): NewOffering => ({
  ...{ title: 'Letters', description: '', price: '€12', paymentUrl: 'https://pay.example.com/letters' },
  ...{ type: 'eBook', coverImage: randomPicture(), state },
});
const create = (state?: NewOffering['state']) => service.ask(offerings.create, letters(state), caller);
const query = (sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, (client) => client.query(sql, values));
/** Ends the pause of the walk. */
const endPause = () => query('UPDATE public_count_walk SET next_page_at = now()');
const pages = () => service.events.all(offerings.tallied);
/** The pages of the next complete walk. */
async function wholeWalk() {
  const before = pages().length;
  await query('UPDATE public_count_walk SET after = NULL, next_page_at = now()');
  const fresh = () => pages().slice(before);
  await waitFor(async () => {
    await endPause();
    const ends = fresh().flatMap(({ upTo }, index) => (upTo === null ? [index] : []));
    // A walk in progress may end first.
    expect(ends.length).toBeGreaterThan(1);
  }, soon);
  const [first = 0, second = 0] = fresh().flatMap(({ upTo }, index) => (upTo === null ? [index] : []));
  return fresh().slice(first + 1, second + 1);
}

test('the event of a public change has the new count, and a later one has a higher number', async () => {
  const { id } = await create();
  await create('draft');
  await create();
  await service.ask(offerings.remove, { id }, caller);
  const announced = await waitFor(() => {
    const all = [offerings.published, offerings.changed, offerings.removed].flatMap((event) =>
      service.events.all(event).filter(({ creatorId }) => creatorId === caller.uid),
    );
    expect(all).toHaveLength(4);
    return all;
  }, soon);
  const tallies = announced.flatMap(({ tally }) => tally ?? []).toSorted((a, b) => a.asOf - b.asOf);
  expect(tallies.map(({ count }) => count)).toEqual([1, 2, 1]);
  expect(new Set(tallies.map(({ asOf }) => asOf)).size).toBe(3);
  // A draft changes nothing for visitors.
  expect(announced.filter(({ tally }) => !tally)).toHaveLength(1);
});

test('the pages of a walk count the public offerings of each creator once [offerings-27]', async () => {
  const shown = await create();
  await create('draft');
  await create('sold_out');
  const hidden = await create();
  await query('UPDATE offering SET taken_down = true WHERE id = $1', [hidden.id]);
  await query(
    `INSERT INTO offering (id, creator_id, title, description, price, type, payment_url, state, slug, delivery_key)
     SELECT gen_random_uuid(), gen_random_uuid(), '', '', '', '', '', 'published', '', '' FROM generate_series(1, 150)`,
  );
  const walk = await wholeWalk();
  expect(walk.length).toBeGreaterThan(1);
  expect(walk.map(({ after }) => after)).toEqual([null, ...walk.slice(0, -1).map(({ upTo }) => upTo)]);
  for (const { counts } of walk) expect(counts.length).toBeLessThanOrEqual(100);
  const all = walk.flatMap(({ counts }) => counts);
  expect(new Set(all.map(({ creatorId }) => creatorId)).size).toBe(all.length);
  expect(all).toContainEqual({ creatorId: shown.creatorId, count: 2 });
});

test('a page does not overwrite a count that was announced in the pause before it', async () => {
  await create();
  const [walk] = await wholeWalk();
  const { id } = await create();
  const newest = await waitFor(() => {
    const event = service.events.all(offerings.published).find((facts) => facts.id === id);
    expect(event).toBeDefined();
    return event!;
  }, soon);
  expect(newest.tally!.asOf).toBeGreaterThan(walk!.asOf);
});

test('a complete walk pauses before the next one', async () => {
  await waitFor(async () => {
    const { rows } = await query(
      "SELECT 1 FROM public_count_walk WHERE after IS NULL AND next_page_at > now() + interval '1 second'",
    );
    expect(rows).toHaveLength(1);
  }, soon);
});
