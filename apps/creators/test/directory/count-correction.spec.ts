import { type Caller, creators, type OfferingFacts, offerings, type PublicTallies } from '@stoa/contracts';
import { makeCaller, type ServiceUnderTest, waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startCreators } from '../creators-under-test.ts';

const soon = { timeout: 20_000 };
let service: ServiceUnderTest;
let caller: Caller;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());
beforeEach(async () => {
  caller = makeCaller();
  await service.ask(creators.open, {}, caller);
});

const query = (sql: string, values: unknown[] = []) =>
  withClient(service.databaseUrl, (client) => client.query<{ count: number; as_of: string }>(sql, values));
const facts = (more: Partial<OfferingFacts> = {}): OfferingFacts => ({
  ...{ id: randomUUID(), creatorId: caller.uid, coverImageId: null, fileIds: [], version: 1 },
  ...{ publicChange: 1, ...more },
});
/** An id just before the caller's. A page may begin after any id. */
const below = () => `${caller.uid.slice(0, 24)}000000000000`;
/** A page that contains only the caller's count. */
const page = (count: number, asOf: number): PublicTallies => ({
  ...{ after: below(), upTo: caller.uid, asOf },
  counts: [{ creatorId: caller.uid, count }],
});
const counted = async () => (await service.ask(creators.readOwn, {}, caller)).offeringCount;
const expectCount = (count: number) => waitFor(async () => expect(await counted()).toBe(count), soon);
test('an announced count is stored, and a late one overwrites nothing [creators-11]', async () => {
  await service.announce(offerings.published, facts({ tally: { count: 3, asOf: 30 } }));
  await expectCount(3);
  await service.announce(offerings.published, facts({ tally: { count: 2, asOf: 20 } }));
  await service.announce(offerings.removed, facts({ publicChange: -1, tally: { count: 4, asOf: 40 } }));
  await expectCount(4);
  expect((await query('SELECT as_of FROM offering_count WHERE creator_id = $1', [caller.uid])).rows).toEqual([
    { as_of: '40' },
  ]);
});

test('the next page corrects a wrong count and announces it [creators-12]', async () => {
  await service.announce(offerings.published, facts({ tally: { count: 3, asOf: 30 } }));
  await expectCount(3);
  await query('UPDATE offering_count SET count = 7 WHERE creator_id = $1', [caller.uid]);
  await expectCount(7);
  await service.announce(offerings.tallied, page(3, 30));
  await expectCount(3);
  await waitFor(
    () =>
      expect(service.events.all(creators.counted).filter(({ uid }) => uid === caller.uid)).toHaveLength(2),
    soon,
  );
});

test('a page sets the count of a creator whom it omits to 0, and no other', async () => {
  const other = makeCaller();
  await service.ask(creators.open, {}, other);
  await query('INSERT INTO offering_count (creator_id, count) VALUES ($1, 5), ($2, 6)', [
    caller.uid,
    other.uid,
  ]);
  const [after, upTo] = [caller.uid, other.uid].toSorted();
  await service.announce(offerings.tallied, { after: after!, upTo: upTo!, asOf: 1, counts: [] });
  const [kept, omitted] = after === caller.uid ? [caller, other] : [other, caller];
  const countOf = async (of: Caller) => (await service.ask(creators.readOwn, {}, of)).offeringCount;
  await waitFor(async () => expect(await countOf(omitted)).toBe(0), soon);
  expect(await countOf(kept)).toBe(kept === caller ? 5 : 6);
});

test('a page adds a missing count', async () => {
  await service.announce(offerings.tallied, page(2, 1));
  await waitFor(async () => expect(await counted()).toBe(2), soon);
});

test('a page that is older than the stored count changes nothing', async () => {
  await service.announce(offerings.published, facts({ tally: { count: 3, asOf: 30 } }));
  await expectCount(3);
  const id = randomUUID();
  await service.announce(offerings.tallied, page(9, 29), id);
  await waitFor(
    async () => expect((await query('SELECT 1 FROM inbox WHERE event_id = $1', [id])).rowCount).toBe(1),
    soon,
  );
  expect(await counted()).toBe(3);
});
