import { DiscoveryService } from '@nestjs/core';
import {
  adminUrlOf,
  recordStatements,
  sequentialScans,
  type ServiceUnderTest,
  startServiceUnderTest,
  runSweepers,
  sweepRows,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

const tables = ['offering', 'unlisted_page', 'payee', 'inbox'];
const statements = recordStatements();
let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());

const load = `
  INSERT INTO offering (id, creator_id, title, description, price, type, payment_url, state, slug, delivery_key)
  SELECT gen_random_uuid(), gen_random_uuid(), 'Letters', '', '', 'eBook', 'https://pay.example.com/', 'published', '', ''
    FROM generate_series(1, ${sweepRows});
  INSERT INTO payee (creator_id, source, payee, since, ended_at, as_of)
  SELECT gen_random_uuid(), 'offerings', 'pay.example.com/' || n, now(), CASE WHEN n % 2 = 0 THEN now() - n % 80 * interval '1 day' END, n
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
    expect.arrayContaining(['InboxSweeper', 'LinkListingsSweeper', 'PayeesSweeper', 'PublicCountsSweeper']),
  );
  expect(await sequentialScans(service.databaseUrl, statements.values(), tables)).toEqual([]);
}, 600_000);
