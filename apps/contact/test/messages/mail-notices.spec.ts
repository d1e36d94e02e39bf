import { waitFor, withClient } from '@stoa/testing';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ContactUnderTest, startContact } from '../contact-under-test.ts';

/** Shorter than the 30 seconds between two polls, so that only a notification can be the cause. */
const soon = { timeout: 15_000 };
let started: ContactUnderTest;

beforeAll(async () => {
  started = await startContact();
});
afterAll(() => started.stop());

const listeners = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'platform'`;
const onDatabase = (sql: string, values: unknown[] = []) =>
  withClient(started.adminUrl, (client) => client.query(sql, values));

/** Inserts a message into the database without the service, as another replica would do. */
async function store(): Promise<string> {
  const subject = `Question ${randomUUID()}`;
  await onDatabase(
    `INSERT INTO message (id, name, email, subject, message) VALUES (gen_random_uuid(), 'Ama', 'ama@example.test', $1, 'Hello.')`,
    [subject],
  );
  return subject;
}
const isMailed = (subject: string) =>
  waitFor(() => expect(started.mail.received.some((text) => text.includes(subject))).toBe(true), soon);

test('a message that another process stores is mailed without polling', async () => {
  await isMailed(await store());
});

test('a message stored while the listening connection is down is mailed after the reconnect', async () => {
  await isMailed(await store());
  await onDatabase(`SELECT pg_terminate_backend(pid) ${listeners}`);
  await waitFor(async () => expect((await onDatabase(`SELECT 1 ${listeners}`)).rows).toEqual([]));
  await isMailed(await store());
});
