import { expect, test } from '@jest/globals';
import { isDatabaseOutage } from './database.ts';

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Transaction API error: Unable to start a transaction in the given time.',
])('a query that failed with %j says that the database is away', (message) => {
  expect(isDatabaseOutage(new Error(message))).toBe(true);
});

test.each([
  'Transaction API error: Transaction already closed: the timeout for this transaction was 5000 ms.',
  'Invalid value for column',
])('%j is a mistake of ours', (message) => {
  expect(isDatabaseOutage(Object.assign(new Error(message), { code: 'P2028' }))).toBe(false);
});

test('what is no error is no outage', () => {
  expect(isDatabaseOutage('timeout exceeded when trying to connect')).toBe(false);
});
