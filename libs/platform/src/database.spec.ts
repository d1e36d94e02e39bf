import { expect, test } from '@jest/globals';
import { isDatabaseOutage } from './database.ts';

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  '\nInvalid `prisma.offering.findMany()` invocation:\n\n\nDatabase error. Code: `57P01`. Message: `terminating connection due to administrator command`',
  'Raw query failed. Code: `53300`. Message: `sorry, too many clients already`',
])('a query that failed with %j is a database outage', (message) => {
  expect(isDatabaseOutage(new Error(message))).toBe(true);
});

test.each(['P1001', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037'])(
  "Prisma's %s is a database outage",
  (code) => {
    expect(isDatabaseOutage(Object.assign(new Error('Something.'), { code }))).toBe(true);
  },
);

test.each(['53100', '53200', '53300'])("Postgres's %s, for want of room, is a database outage", (code) => {
  expect(isDatabaseOutage(Object.assign(new Error('Something.'), { code }))).toBe(true);
});

test.each([
  { code: 'P2002', message: 'Unique constraint failed' },
  {
    code: 'P2010',
    message: 'Raw query failed. Code: `22P05`. Message: `unsupported Unicode escape sequence`',
  },
])('$code is not an outage', ({ code, message }) => {
  expect(isDatabaseOutage(Object.assign(new Error(message), { code }))).toBe(false);
});

test('a value that is no error is not an outage', () => {
  expect(isDatabaseOutage('timeout exceeded when trying to connect')).toBe(false);
});
