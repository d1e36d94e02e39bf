import {
  makeCaller,
  createDatabase,
  inRepository,
  realmSettings,
  type TestDatabase,
  testParts,
} from '@stoa/testing';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityConfig } from '../src/identity.config.ts';
import { IdentityRepository } from '../src/identity.repository.ts';

const minuteMs = 60_000;
let database: TestDatabase;
let client: Client;
let accounts: IdentityRepository;

beforeAll(async () => {
  const { adminUrl } = testParts().postgres;
  database = await createDatabase(adminUrl, inRepository('apps/identity/prisma/migrations'));
  client = new Client({ connectionString: database.url });
  await client.connect();
  Object.assign(process.env, realmSettings(), {
    SERVICE_NAME: 'identity',
    NATS_URL: 'nats://127.0.0.1:1',
    NATS_USER: 'identity',
    NATS_PASSWORD: 'none',
    HEALTH_PORT: '0',
    SITE_URL: 'http://localhost:8080',
    REQUEST_PUBLIC_KEYS: testParts().requestKeys.publicKeys,
    DATABASE_URL: database.url,
  });
  accounts = new IdentityRepository(new IdentityConfig());
});
afterAll(async () => {
  await accounts.onApplicationShutdown();
  await client.end();
  await database.drop();
});

test('a refused mail is retried with exponential backoff, up to an hour', async () => {
  const { uid, username, email } = makeCaller();
  await accounts.open({ uid, username, email, emailVerified: true, termsAcceptedAt: null });
  await client.query(
    `INSERT INTO account_change (uid, kind, address, at) VALUES ($1, 'password', $2, now())`,
    [uid, email],
  );
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    expect(await accounts.takeUnmailedChange(3 * minuteMs, `token ${attempt}`)).toMatchObject({ username });
    expect(await accounts.takeUnmailedChange(3 * minuteMs, 'none')).toBeNull();
    const { rows } = await client.query<{ minutes: number }>(
      'SELECT round(extract(epoch FROM next_try_at - now()) / 60)::int AS minutes FROM account_change',
    );
    pauses.push(...rows.map(({ minutes }) => minutes));
    await client.query('UPDATE account_change SET next_try_at = now()');
  }
  expect(pauses).toEqual([3, 6, 12, 24, 48, 60, 60]);
});
