import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { CheckedLinks } from '../../src/link-health/checked-links.repository.ts';
import { type ContactUnderTest, startContact } from '../contact-under-test.ts';

const hostPauseMs = 60_000;
let started: ContactUnderTest;
let database: Client;
let links: CheckedLinks;

beforeAll(async () => {
  started = await startContact({ LINK_CHECK: 'false' });
  links = started.service.app.get(CheckedLinks);
  database = new Client({ connectionString: started.service.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await started.stop();
});
beforeEach(async () => void (await database.query('DELETE FROM linked_page')));

/** Inserts one page per host, with one link whose check has been due for `hours`. */
async function due(hours: number, hosts: string[], uid?: string): Promise<string[]> {
  const rows = hosts.map((host) => ({
    id: randomUUID(),
    page: randomUUID(),
    uid: uid ?? randomUUID(),
    host,
    site: host.split('.').slice(-2).join('.'),
  }));
  await database.query(
    `WITH listed AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS l (id uuid, page uuid, uid uuid, host text, site text)),
          pages AS (INSERT INTO linked_page (id, uid, offering_id, title, version) SELECT page, uid, page, '', 1 FROM listed)
     INSERT INTO checked_link (id, page_id, kind, label, url, host, site, next_look_at)
     SELECT id, page, 'payment', '', 'https://' || host || '/' || id, host, site, now() - $2::int * interval '1 hour' FROM listed`,
    [JSON.stringify(rows), hours],
  );
  return rows.map(({ id }) => id);
}
const many = (count: number, host: (number: number) => string) =>
  Array.from({ length: count }, (_, n) => host(n));
const findDue = (most: number) => links.findDue({ most, hostPauseMs });
const lease = (id: string) => links.lease(id, { leaseMs: 60_000, hostPauseMs });

test('a host with thousands of overdue links delays no other host', async () => {
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

test('a creator with thousands of links on different hosts delays no other creator', async () => {
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

test('a site with thousands of subdomains and creators delays no other site', async () => {
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

/** Publishes links on these hosts and makes their checks two days overdue. */
async function listed(hosts: string[]): Promise<string[]> {
  for (const host of hosts) {
    const page = { uid: randomUUID(), offeringId: randomUUID(), title: '', version: 1, isPublic: true };
    const url = `https://${host}/`;
    await links.list({ ...page, links: [{ kind: 'payment', label: '', url, host }] });
  }
  const { rows } = await database.query<{ id: string }>(
    `UPDATE checked_link SET next_look_at = now() - interval '2 days' WHERE host = ANY($1) RETURNING id`,
    [hosts],
  );
  return rows.map(({ id }) => id);
}

test.each([
  ['a country', 'co.za', 5],
  ['a country', 'com.br', 5],
  ['a country in its own script', 'xn--55qx5d.cn', 5],
  ['a provider', 'github.io', 5],
  ['a shop system', 'myshopify.com', 5],
  ['one shop', 'shop.co.za', 1],
  ['one domain', 'shop.example', 1],
])('sites below the suffix of %s take turns like any others: %s', async (_, suffix, first) => {
  const below = await listed(many(5, (n) => `shop-${n}.${suffix}`));
  await due(
    1,
    many(20, (n) => `other-${n}.example`),
  );
  const found = await findDue(20);
  expect(found.filter((id) => below.includes(id))).toHaveLength(first);
});

test('a host has one leased link at a time, and none within the pause', async () => {
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
