import { DiscoveryService } from '@nestjs/core';
import {
  adminUrlOf,
  recordStatements,
  sequentialScans,
  type ServiceUnderTest,
  runSweepers,
  sweepRows,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startCreators } from './creators-under-test.ts';

const tables = [
  ...['creator', 'offering_title', 'unlisted_page', 'visit_count', 'day_visitor', 'counted_visit'],
  ...['review_case', 'review_step', 'report_source', 'reserved_username', 'inbox', 'payee'],
];
const statements = recordStatements();
let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startCreators();
});
afterAll(() => service.stop());

const load = `
  INSERT INTO creator (uid, username, email, display_name, search_text)
  SELECT gen_random_uuid(), 'user-' || n, 'user-' || n || '@example.test', 'User ' || n, 'user ' || n
    FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO offering_title (offering_id, creator_id, search_text, version, listed_at)
  SELECT gen_random_uuid(), uid, CASE WHEN random() < 0.99 THEN 'letters' ELSE '' END, 1, now() - random() * interval '29 days'
    FROM creator;
  INSERT INTO visit_count (creator_id, day, kind, subject, count, visitors)
  SELECT uid, current_date - (random() * 300)::int, 'view', '', 1, 1 FROM creator;
  INSERT INTO day_visitor (creator_id, day, kind, subject, visitor) SELECT uid, current_date, 'view', '', 'v' FROM creator;
  INSERT INTO counted_visit (id, day) SELECT gen_random_uuid(), current_date - n % 5 FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO review_case (id, creator_id, status, opened_at)
  SELECT gen_random_uuid(), uid, 'dismissed', now() - random() * interval '700 days' FROM creator;
  INSERT INTO review_step (id, case_id, kind, at) SELECT gen_random_uuid(), id, 'reported', opened_at FROM review_case;
  INSERT INTO report_source (case_id, source, at) SELECT id, 'hash', now() - random() * interval '20 hours' FROM review_case;
  INSERT INTO reserved_username (hash, until, announced_at)
  SELECT 'hash-' || n, now() + interval '80 days', CASE WHEN n % 1000 > 0 THEN now() - n % 19 * interval '1 day' ELSE 'epoch' END
    FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO payee (creator_id, source, payee, since, ended_at, as_of)
  SELECT gen_random_uuid(), 'creators', 'pay.example.com/' || n, now(), CASE WHEN n % 2 = 0 THEN now() - n % 80 * interval '1 day' END, n
    FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO inbox (event_id, received_at) SELECT gen_random_uuid()::text, now() - n % 59 * interval '1 day'
    FROM generate_series(1, ${sweepRows}) AS n;
  ANALYZE;`;

test('no sweeper scans a large table sequentially', async () => {
  await withClient(adminUrlOf(service), (client) => client.query(load));
  statements.clear();
  const providers = service.app.get(DiscoveryService, { strict: false }).getProviders();
  const sweepers = await runSweepers(providers.map(({ instance }) => instance as unknown));
  expect(sweepers).toEqual(
    expect.arrayContaining([
      ...['InboxSweeper', 'LinkListingsSweeper', 'ReviewsSweeper', 'HiddenTitlesSweeper', 'VisitsSweeper'],
      ...['PayeesSweeper', 'SearchTextsSweeper'],
    ]),
  );
  expect(await sequentialScans(service.databaseUrl, statements.values(), tables)).toEqual([]);
}, 600_000);
