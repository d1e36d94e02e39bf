import { withBudget } from '@stoa/messaging';
import { isDatabaseOutage, ServicePool } from '@stoa/platform';
import { MovingName, testParts } from '@stoa/testing';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const { adminUrl } = testParts().postgres;

let place: MovingName;
let pool: ServicePool;
beforeEach(async () => {
  place = await MovingName.open(new URL(adminUrl).port);
  pool = new ServicePool({
    connectionString: place.in(adminUrl),
    max: 2,
    connectionTimeoutMillis: 4000,
  });
});
afterEach(async () => {
  await pool.end();
  place.close();
});

const ask = () => pool.query<{ one: number }>('SELECT 1 AS one');

test('a moved database answers a query while the old address drops every packet', async () => {
  // More queries than connections.
  const queries = Array.from({ length: 5 }, ask);
  await place.dialled();
  place.move();
  const answers = await Promise.all(queries);
  expect(answers.map(({ rows }) => rows)).toEqual(Array.from({ length: 5 }, () => [{ one: 1 }]));
});

test('a query fails as an outage within its deadline while the old address drops every packet', async () => {
  const since = performance.now();
  const error: unknown = await withBudget(0, ask, 1500).catch((caught: unknown) => caught);
  expect(isDatabaseOutage(error)).toBe(true);
  expect(performance.now() - since).toBeLessThan(3000);
  place.move();
  expect((await ask()).rows).toEqual([{ one: 1 }]);
});

test('a name with a dead and a live address leads to the live one', async () => {
  place.spread();
  expect((await ask()).rows).toEqual([{ one: 1 }]);
});
