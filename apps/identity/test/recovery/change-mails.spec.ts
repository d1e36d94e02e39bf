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
import { Database } from '../../src/database.ts';
import { IdentityConfig } from '../../src/identity.config.ts';
import { IdentityRepository } from '../../src/accounts/identity.repository.ts';
import { OwnerChanges } from '../../src/recovery/owner-changes.repository.ts';

const minuteMs = 60_000;
let database: TestDatabase;
let client: Client;
let prisma: Database;
let accounts: IdentityRepository;
let changes: OwnerChanges;

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
    DATABASE_URL: database.url,
  });
  prisma = new Database(new IdentityConfig());
  accounts = new IdentityRepository(prisma);
  changes = new OwnerChanges(prisma);
});
afterAll(async () => {
  await prisma.onApplicationShutdown();
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  const { uid, username, email, tokenIssuedAt: claimsIssuedAt } = makeCaller();
  const account = { uid, username, email, claimsIssuedAt };
  await accounts.open({ ...account, emailVerified: true, termsAcceptedAt: null });
  await client.query(
    `INSERT INTO account_change (uid, kind, address, at) VALUES ($1, 'password', $2, now())`,
    [uid, email],
  );
});
afterEach(() => client.query('DELETE FROM account_change'));

test('a refused mail is retried with exponential backoff, up to an hour', async () => {
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    expect(await changes.leaseUnmailed(3 * minuteMs, `token ${attempt}`)).not.toBeNull();
    expect(await changes.leaseUnmailed(3 * minuteMs, 'none')).toBeNull();
    const { rows } = await client.query<{ minutes: number }>(
      'SELECT round(extract(epoch FROM next_try_at - now()) / 60)::int AS minutes FROM account_change',
    );
    pauses.push(...rows.map(({ minutes }) => minutes));
    await client.query('UPDATE account_change SET next_try_at = now()');
  }
  expect(pauses).toEqual([3, 6, 12, 24, 48, 60, 60]);
});

// The column rounds times to whole milliseconds, so `now()` may be stored as a time in the future.
test('a change whose mail is due now is leased immediately', async () => {
  const due = `UPDATE account_change SET next_try_at = now(), token_hashes = '{}'`;
  for (let round = 1; round <= 200; round += 1) {
    await client.query(due);
    expect(await changes.leaseUnmailed(minuteMs, `token ${round}`)).not.toBeNull();
  }
});
