import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import type { CheckedLinks } from '../src/checked-links.repository.ts';
import { ContactRepository } from '../src/contact.repository.ts';
import { type ContactUnderTest, startContact } from './contact-under-test.ts';

const hostPauseMs = 60_000;
let started: ContactUnderTest;
let database: Client;
let links: CheckedLinks;

beforeAll(async () => {
  started = await startContact({ LINK_CHECK: 'false' });
  ({ links } = started.service.app.get(ContactRepository));
  database = new Client({ connectionString: started.service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await started.stop();
});
beforeEach(async () => void (await database.query('DELETE FROM linked_page')));

/** Links that have been due for so many hours, each of a page of its own. */
async function due(hours: number, hosts: string[], uid?: string): Promise<string[]> {
  const rows = hosts.map((host) => ({
    id: randomUUID(),
    page: randomUUID(),
    uid: uid ?? randomUUID(),
    host,
  }));
  await database.query(
    `WITH listed AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS l (id uuid, page uuid, uid uuid, host text)),
          pages AS (INSERT INTO linked_page (id, uid, offering_id, title, version) SELECT page, uid, page, '', 1 FROM listed)
     INSERT INTO checked_link (id, page_id, kind, label, url, host, next_look_at)
     SELECT id, page, 'payment', '', 'https://' || host || '/' || id, host, now() - $2::int * interval '1 hour' FROM listed`,
    [JSON.stringify(rows), hours],
  );
  return rows.map(({ id }) => id);
}
const many = (count: number, host: (number: number) => string) =>
  Array.from({ length: count }, (_, n) => host(n));
const findDue = (most: number) => links.findDue({ most, hostPauseMs });
const lease = (id: string) => links.lease(id, { leaseMs: 60_000, hostPauseMs });

test('a host with thousands of links that are due longest keeps no other host waiting', async () => {
  const crowd = await due(
    48,
    many(3000, () => 'pay.crowded.example'),
  );
  const others = await due(
    1,
    many(20, (n) => `shop-${n}.example`),
  );
  const found = await findDue(100);
  expect(found.filter((id) => crowd.includes(id))).toHaveLength(1);
  expect(found.filter((id) => others.includes(id))).toHaveLength(20);
});

test('a creator with thousands of links, each at a host of its own, keeps no other creator waiting', async () => {
  const crowd = await due(
    48,
    many(2000, (n) => `shop.own-${n}.example`),
    randomUUID(),
  );
  const others = await due(
    1,
    many(5, (n) => `shop-${n}.example`),
  );
  const first = await findDue(6);
  expect(first.filter((id) => crowd.includes(id))).toHaveLength(1);
  expect(first.toSorted()).toEqual(expect.arrayContaining(others));
});

test('a site with thousands of subdomains, of as many creators, keeps no other site waiting', async () => {
  const crowd = await due(
    48,
    many(2000, (n) => `own-${n}.crowded.example`),
  );
  const others = await due(
    1,
    many(5, (n) => `shop-${n}.example`),
  );
  const first = await findDue(6);
  expect(first.filter((id) => crowd.includes(id))).toHaveLength(1);
  expect(first).toEqual(expect.arrayContaining(others));
});

test('one link of a host is taken at a time, and no other within the pause', async () => {
  const [first = '', second = ''] = await due(2, ['shop.example', 'shop.example']);
  const leased = await lease(first);
  expect(leased?.url).toBe(`https://shop.example/${first}`);
  expect([await lease(first), await lease(second), await findDue(10)]).toEqual([null, null, []]);
  await links.record(leased!, (state, now) => ({ state, nextLookAt: new Date(now.getTime() + 86_400_000) }));
  expect([await lease(second), await findDue(10)]).toEqual([null, []]);
  await database.query(`UPDATE checked_link SET looked_at = looked_at - interval '2 minutes'`);
  expect(await findDue(10)).toEqual([second]);
  expect((await lease(second))?.id).toBe(second);
});
