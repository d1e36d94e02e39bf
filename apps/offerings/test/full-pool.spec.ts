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

test("an exhausted connection pool is answered 'unavailable', and recovers", async () => {
  const list = () => service.ask(offerings.listPublic, { creatorId: randomUUID() });
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE offering IN ACCESS EXCLUSIVE MODE');
  // More than there are connections; those that have one wait for the table.
  const asked = Array.from({ length: 20 }, list);
  const first = await Promise.any(asked.map(refusalOf));
  await holder.query('ROLLBACK');
  await Promise.allSettled(asked);
  expect(first).toMatchObject({ code: 'unavailable' });
  await expect(list()).resolves.toEqual({ items: [], pinnedId: null });
});

const refusalOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => Promise.reject(new Error('answered')),
    (error: unknown) => error,
  );
