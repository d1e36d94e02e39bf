import { DiscoveryService } from '@nestjs/core';
import {
  adminUrlOf,
  recordStatements,
  sequentialScans,
  type ServiceUnderTest,
  startServiceUnderTest,
  sweepEach,
  sweepRows,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

const statements = recordStatements();
let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());

const load = `
  INSERT INTO offering (id, creator_id, title, description, price, type, payment_url)
  SELECT gen_random_uuid(), gen_random_uuid(), 'Letters', '', '', 'eBook', 'https://pay.example.com/'
    FROM generate_series(1, ${sweepRows});
  INSERT INTO inbox (event_id, received_at) SELECT gen_random_uuid()::text, now() - n % 59 * interval '1 day'
    FROM generate_series(1, ${sweepRows}) AS n;
  ANALYZE;`;

test('no sweeper reads a large table from its beginning to its end', async () => {
  await withClient(adminUrlOf(service), (client) => client.query(load));
  statements.clear();
  const providers = service.app.get(DiscoveryService, { strict: false }).getProviders();
  const sweepers = await sweepEach(providers.map(({ instance }) => instance as unknown));
  expect(sweepers).toEqual(expect.arrayContaining(['InboxSweeper', 'LinkLister', 'PublicCountsTeller']));
  expect(await sequentialScans(service.databaseUrl, statements.values(), ['offering', 'inbox'])).toEqual([]);
}, 600_000);
