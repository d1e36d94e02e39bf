import { DiscoveryService } from '@nestjs/core';
import {
  adminUrlOf,
  recordStatements,
  sequentialScans,
  runSweepers,
  sweepRows,
  waitFor,
  wakeWorkers,
  withClient,
} from '@stoa/testing';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { IdentityUnderTest } from './identity-under-test.ts';

const tables = [
  ...[
    'account',
    'account_change',
    'link_change',
    'account_deletion',
    'export_mail',
    'review_mail',
    'dead_link_mail',
    'session_browser',
    'log_in_warning',
    'failed_log_in',
    'recipient_mail',
  ],
  ...['realm_event', 'inbox'],
];
const statements = recordStatements();
let started: IdentityUnderTest;

beforeAll(async () => {
  started = await IdentityUnderTest.start();
});
afterAll(() => started.stop());

// In this test data no mail is due, so that every worker has to search for due rows.
const load = `
  INSERT INTO account (uid, username, email, claims_issued_at, email_verified, proved_email)
  SELECT gen_random_uuid(), 'user-' || n, 'user-' || n || '@example.test', now(), true, 'user-' || n || '@example.test'
    FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO account_change (uid, kind, address, at, mailed_at) SELECT uid, 'email', proved_email, now(), now() FROM account;
  INSERT INTO link_change (id, uid, before, after, at, mail_due_at)
  SELECT gen_random_uuid(), uid, '[]', '[]', now() - random() * interval '80 days', NULL FROM account;
  INSERT INTO account_deletion (id, uid, finished_at) SELECT gen_random_uuid(), gen_random_uuid(), now() FROM account;
  INSERT INTO export_mail (id, uid, expires_at, next_try_at)
  SELECT gen_random_uuid(), uid, now() + interval '1 day', now() + interval '1 hour' FROM account;
  INSERT INTO review_mail (id, uid, outcome, text, next_try_at)
  SELECT gen_random_uuid(), uid, 'hidden', '', now() + interval '1 hour' FROM account;
  INSERT INTO dead_link_mail (id, uid, links, next_try_at)
  SELECT gen_random_uuid(), uid, '[]', now() + interval '1 hour' FROM account;
  INSERT INTO log_in_warning (id, uid, since, tries, codes, next_try_at)
  SELECT gen_random_uuid(), uid, now(), 10, 0, now() + interval '1 hour' FROM account;
  INSERT INTO failed_log_in (uid, since, tries, codes) SELECT uid, now(), 1, 0 FROM account;
  INSERT INTO recipient_mail (recipient, at)
  SELECT md5(n::text), now() - n % 23 * interval '1 hour' FROM generate_series(1, ${sweepRows}) AS n;
  INSERT INTO session_browser (session_id, uid, browser) SELECT gen_random_uuid()::text, uid, 'Chrome on Windows' FROM account;
  INSERT INTO realm_event (id, stream, at) SELECT gen_random_uuid()::text, 'user', now() FROM account;
  INSERT INTO inbox (event_id, received_at) SELECT gen_random_uuid()::text, now() - n % 59 * interval '1 day'
    FROM generate_series(1, ${sweepRows}) AS n;
  ANALYZE;`;

test('no sweeper and no queue scans a large table sequentially', async () => {
  const { service } = started;
  await withClient(adminUrlOf(service), (client) => client.query(load));
  statements.clear();
  const providers = service.app.get(DiscoveryService, { strict: false }).getProviders();
  const instances = providers.map(({ instance }) => instance as unknown);
  const sweepers = await runSweepers(instances);
  expect(sweepers.toSorted()).toEqual([
    ...['DueMailsSweeper', 'InboxSweeper', 'RealmEventsSweeper', 'SessionBrowsersSweeper'],
  ]);
  // A verification mail makes the service query the counted mails of the recipient.
  await started.openAccount(false);
  wakeWorkers(instances);
  // RealmFollower is missing in this list, because it polls without a wake-up.
  const worked = [
    ...['account_change AS change SET', 'FROM link_change JOIN account', 'account_deletion AS taken SET'],
    ...['export_mail AS taken SET', 'review_mail AS taken SET', 'dead_link_mail AS taken SET'],
    ...['log_in_warning AS taken SET', 'FROM log_in_warning AS due', 'realm_reading SET'],
    ...['DELETE FROM "public"."link_change"', 'DELETE FROM log_in_warning', 'DELETE FROM failed_log_in'],
    'INSERT INTO recipient_mail',
  ];
  for (const part of worked)
    await waitFor(
      () => expect([...statements.keys()].filter((text) => text.includes(part))).not.toEqual([]),
      {
        timeout: 15_000,
      },
    );
  expect(await sequentialScans(service.databaseUrl, statements.values(), tables)).toEqual([]);
}, 600_000);
