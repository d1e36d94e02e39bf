import { offerings } from '@stoa/contracts';
import {
  adminUrlOf,
  makeCaller,
  randomPicture,
  recordStatements,
  sequentialScans,
  type ServiceUnderTest,
  startServiceUnderTest,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfferingsModule } from '../../src/offerings.module.ts';

const statements = recordStatements();
let service: ServiceUnderTest;

beforeAll(async () => {
  const folder = new URL('../../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
});
afterAll(() => service.stop());

const draft = {
  ...{ title: 'Letters', description: '', price: '€12', type: 'eBook' as const },
  paymentUrl: 'https://pay.example.com/letters',
};
// 10,000 sales of the creator, and as many of others.
const load = `
  INSERT INTO sale (id, creator_id, offering_id, source, provider, transaction_id, key_hash, key_salt, state, created_at)
  SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN $1::uuid ELSE gen_random_uuid() END, $2::uuid, 'creator', '', n::text,
         gen_random_uuid()::text, '', 'paid', now() - n * interval '1 minute'
    FROM generate_series(1, 20000) AS n`;

test('requests about 10,000 sales read indexes, and a page skips the earlier ones', async () => {
  const owner = makeCaller();
  const offering = await service.ask(
    offerings.create,
    { ...draft, coverImage: randomPicture(), files: [] },
    owner,
  );
  await withClient(adminUrlOf(service), async (client) => {
    await client.query(load, [owner.uid, offering.id]);
    await client.query('VACUUM ANALYZE sale');
  });
  statements.clear();
  const { nextCursor } = await service.ask(offerings.listSales, {}, owner);
  await service.ask(offerings.listSales, { cursor: nextCursor! }, owner);
  await service.ask(offerings.listSales, { transactionId: '4000' }, owner);
  const form = { offeringId: offering.id, transactionId: 'new', provider: '', downloads: null, days: null };
  const { sale, key } = await service.ask(offerings.addSale, form, owner);
  await service.ask(offerings.download, { creatorId: owner.uid, id: offering.id, key: key! });
  await service.ask(offerings.closeSale, { id: sale.id, state: 'refunded' }, owner);
  expect(await sequentialScans(service.databaseUrl, statements.values(), ['sale'])).toEqual([]);

  const plansOf = async (part: RegExp) => {
    const found = [...statements.values()].filter(({ text }) => part.test(text));
    return withClient(service.databaseUrl, async (client) => {
      const plans: string[] = [];
      for (const { text, values } of found) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ANALYZE ${text}`, [...values]);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return plans;
    });
  };
  const pages = await plansOf(/^SELECT.*"sale".*"created_at" <= /s);
  expect(pages).toEqual([expect.stringMatching(/Index Cond: .*created_at <= /)]);
  const checks = await plansOf(/^\s*SELECT 1 FROM sale WHERE creator_id/);
  expect(checks).toEqual([expect.stringContaining('Index Only Scan')]);
});
