import { DiscoveryService } from '@nestjs/core';
import {
  recordStatements,
  sequentialScans,
  runSweepers,
  sweepRows,
  waitFor,
  wakeWorkers,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ContactUnderTest, startContact } from './contact-under-test.ts';

const tables = ['message', 'linked_page', 'checked_link', 'proved_address', 'closed_account', 'inbox'];
const statements = recordStatements();
let started: ContactUnderTest;

beforeAll(async () => {
  started = await startContact({ LINK_CHECK: 'false', LINK_CHECK_TEST_HOSTS: 'none.example=' });
});
afterAll(() => started.stop());

// Test data: 1 % of the links are dead and 0.1 % are due; 0.4 % of the messages are not mailed yet.
const load = `
  INSERT INTO linked_page (id, uid, offering_id, title, version)
  SELECT id, gen_random_uuid(), id, '', 1 FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${sweepRows})) AS page;
  INSERT INTO checked_link (id, page_id, kind, label, url, host, site, next_look_at, looked_at, dead_since, told_at)
  SELECT gen_random_uuid(), id, 'payment', '', 'https://shop-' || n % 50000 || '.example/', 'shop-' || n % 50000 || '.example', 'shop-' || n % 50000 || '.example',
         now() + (n % 1000 - 0.5) * interval '80 seconds', now() - n % 1000 * interval '80 seconds' - interval '1 minute',
         CASE WHEN n % 100 = 0 THEN now() - interval '2 days' END, CASE WHEN n % 100 = 0 THEN now() - interval '1 day' END
    FROM (SELECT id, row_number() OVER () AS n FROM linked_page) AS page;
  INSERT INTO message (id, name, email, subject, message, creator_id, received_at, mailed_at, held, sender)
  SELECT gen_random_uuid(), '', 'a' || n || '@example.test', '', '', CASE WHEN n % 2 = 0 THEN gen_random_uuid() END,
         now() - n % 29 * interval '1 day' - interval '30 minutes',
         CASE WHEN n % 500 > 1 THEN now() - n % 29 * interval '1 day' END, n % 1000 = 0,
         CASE WHEN n % 1000 = 500 THEN 'hash ' || n END
    FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO proved_address (creator_id, email, proved_at) SELECT uid, uid || '@example.test', now() FROM linked_page;
  INSERT INTO closed_account (uid, closed_at)
  SELECT gen_random_uuid(), now() - n % 90 * interval '1 day' FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO inbox (event_id, received_at) SELECT gen_random_uuid()::text, now() - n % 59 * interval '1 day'
    FROM generate_series(1, ${sweepRows}) AS n;
  ANALYZE;`;

test('no sweeper and no queue scans a large table sequentially', async () => {
  const { app, databaseUrl } = started.service;
  await withClient(started.adminUrl, (client) => client.query(load));
  statements.clear();
  const providers = app.get(DiscoveryService, { strict: false }).getProviders();
  const instances = providers.map(({ instance }) => instance as unknown);
  const sweepers = await runSweepers(instances);
  expect(sweepers.toSorted()).toEqual(['ContactSweeper', 'InboxSweeper', 'LinkChecker']);
  wakeWorkers(instances);
  const seen = (part: string) => [...statements.keys()].some((text) => text.includes(part));
  await waitFor(() => expect(seen('UPDATE message AS taken SET attempts')).toBe(true));
  expect(seen('first_of_host')).toBe(true);
  expect(await sequentialScans(databaseUrl, statements.values(), tables)).toEqual([]);
}, 600_000);
