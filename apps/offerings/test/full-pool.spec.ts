import { offerings } from '@stoa/contracts';
import { type ServiceUnderTest, startServiceUnderTest } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OfferingsModule } from '../src/offerings.module.ts';

let service: ServiceUnderTest;
let holder: Client;

beforeAll(async () => {
  const folder = new URL('../', import.meta.url);
  service = await startServiceUnderTest(OfferingsModule, { service: 'offerings', folder });
  holder = new Client({ connectionString: service.databaseUrl });
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await service.stop();
});

test("requests are 'unavailable' while the connection pool is exhausted", async () => {
  const list = () => service.ask(offerings.listPublic, { creatorId: randomUUID() });
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE offering IN ACCESS EXCLUSIVE MODE');
  // More requests than connections. Those with a connection wait for the table.
  const requests = Array.from({ length: 20 }, list);
  const first = await Promise.any(requests.map(refusalOf));
  await holder.query('ROLLBACK');
  await Promise.allSettled(requests);
  expect(first).toMatchObject({ code: 'unavailable' });
  await expect(list()).resolves.toEqual({ items: [], pinnedId: null });
});

const refusalOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => Promise.reject(new Error('The request succeeded.')),
    (error: unknown) => error,
  );
