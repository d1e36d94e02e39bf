import {
  makeCaller,
  createDatabase,
  inRepository,
  realmSettings,
  type TestDatabase,
  testParts,
} from '@stoa/testing';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
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

beforeEach(async () => {
  const { uid, username, email } = makeCaller();
  await accounts.open({ uid, username, email, emailVerified: true, termsAcceptedAt: null });
  await client.query(
    `INSERT INTO account_change (uid, kind, address, at) VALUES ($1, 'password', $2, now())`,
    [uid, email],
  );
});
afterEach(() => client.query('DELETE FROM account_change'));

test('a refused mail is retried with exponential backoff, up to an hour', async () => {
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    expect(await accounts.takeUnmailedChange(3 * minuteMs, `token ${attempt}`)).not.toBeNull();
    expect(await accounts.takeUnmailedChange(3 * minuteMs, 'none')).toBeNull();
    const { rows } = await client.query<{ minutes: number }>(
      'SELECT round(extract(epoch FROM next_try_at - now()) / 60)::int AS minutes FROM account_change',
    );
    pauses.push(...rows.map(({ minutes }) => minutes));
    await client.query('UPDATE account_change SET next_try_at = now()');
  }
  expect(pauses).toEqual([3, 6, 12, 24, 48, 60, 60]);
});

// Its column keeps whole milliseconds, and rounds up as often as down.
test('a change whose mail is due now is taken at once', async () => {
  const due = `UPDATE account_change SET next_try_at = now(), token_hashes = '{}'`;
  for (let round = 1; round <= 200; round += 1) {
    await client.query(due);
    expect(await accounts.takeUnmailedChange(minuteMs, `token ${round}`)).not.toBeNull();
  }
});
