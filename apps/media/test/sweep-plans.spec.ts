import { DiscoveryService } from '@nestjs/core';
import {
  adminUrlOf,
  recordStatements,
  sequentialScans,
  type ServiceUnderTest,
  runSweepers,
  sweepRows,
  waitFor,
  wakeWorkers,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startMedia } from './media-under-test.ts';

const tables = ['upload', 'attachment', 'preview_card', 'withdrawn_card', 'account_export', 'inbox'];
const statements = recordStatements();
let service: ServiceUnderTest;

beforeAll(async () => {
  service = await startMedia();
});
afterAll(() => service.stop());

const load = `
  INSERT INTO upload (id, uid, purpose, path, remove_after)
  SELECT gen_random_uuid(), gen_random_uuid(), 'offering-cover', 'covers/' || n,
         CASE WHEN n % 1000 = 0 THEN now() + interval '1 day' END
    FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO attachment (owner_kind, owner_id, upload_id, version)
  SELECT 'offering', gen_random_uuid(), CASE WHEN random() < 0.9 THEN id END, 1 FROM upload;
  INSERT INTO preview_card (path, uid, owner_id, remove_after)
  SELECT 'cards/' || n, gen_random_uuid(), gen_random_uuid(), now() + interval '1 day' FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO withdrawn_card (owner_id, position, until, known_until)
  SELECT gen_random_uuid(), 1, now() + interval '1 day', now() + interval '30 days' FROM generate_series(1, ${sweepRows});
  INSERT INTO account_export (id, uid, next_try_at, ready_at, due_at, remove_after)
  SELECT gen_random_uuid(), gen_random_uuid(), now() - interval '1 hour', now(), now(), now() + interval '1 day'
    FROM generate_series(1, ${sweepRows});
  INSERT INTO inbox (event_id, received_at) SELECT gen_random_uuid()::text, now() - n % 59 * interval '1 day'
    FROM generate_series(1, ${sweepRows}) AS n;
  ANALYZE;`;

test('no sweeper and no queue scans a large table sequentially', async () => {
  await withClient(adminUrlOf(service), (client) => client.query(load));
  statements.clear();
  const providers = service.app.get(DiscoveryService, { strict: false }).getProviders();
  const instances = providers.map(({ instance }) => instance as unknown);
  const sweepers = await runSweepers(instances);
  expect(sweepers.toSorted()).toEqual([
    'InboxSweeper',
    'MediaSweeper',
    'RemovalSweeper',
    'WithdrawalSweeper',
  ]);
  wakeWorkers(instances);
  const isSeen = () =>
    [...statements.keys()].some((text) => text.includes('UPDATE account_export SET attempts'));
  await waitFor(() => expect(isSeen()).toBe(true), { timeout: 10_000 });
  expect(await sequentialScans(service.databaseUrl, statements.values(), tables)).toEqual([]);
}, 600_000);
