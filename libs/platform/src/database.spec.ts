import { expect, test } from '@jest/globals';
import { isDatabaseOutage } from './database.ts';

test.each([
  'timeout exceeded when trying to connect',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  '\nInvalid `prisma.offering.findMany()` invocation:\n\n\nDatabase error. Code: `57P01`. Message: `terminating connection due to administrator command`',
  'Raw query failed. Code: `53300`. Message: `sorry, too many clients already`',
  'sorry, too many clients already',
  'the database system is starting up',
  'the database system is shutting down',
  'the database system is not yet accepting connections',
  'terminating connection due to administrator command',
  'terminating connection due to unexpected postmaster exit',
  'Query read timeout',
  'Raw query failed. Code: `57P03`. Message: `the database system is starting up`',
  'Raw query failed. Code: `57014`. Message: `canceling statement due to user request`',
  'Raw query failed. Code: `40001`. Message: `could not serialize access due to concurrent update`',
  'Raw query failed. Code: `40P01`. Message: `deadlock detected`',
  'Raw query failed. Code: `25006`. Message: `cannot execute INSERT in a read-only transaction`',
])('a query that failed with %j is a database outage', (message) => {
  expect(isDatabaseOutage(new Error(message))).toBe(true);
});

test.each(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'])(
  "Prisma's %s is a database outage",
  (code) => {
    expect(isDatabaseOutage(Object.assign(new Error('Something.'), { code }))).toBe(true);
  },
);

test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'])(
  "Node's %s is a database outage",
  (code) => {
    expect(isDatabaseOutage(Object.assign(new Error('read failed'), { code }))).toBe(true);
  },
);

test.each(['57P01', '57P02', '57P03', '57014', '40001', '40P01', '25006'])(
  "Postgres's %s, after which another try may work, is a database outage",
  (code) => {
    expect(isDatabaseOutage(Object.assign(new Error('Something.'), { code }))).toBe(true);
  },
);

test.each([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
])("the adapter's %s is a database outage", (kind) => {
  const meta = { driverAdapterError: { cause: { kind } } };
  expect(isDatabaseOutage(Object.assign(new Error('Raw query failed.'), { code: 'P2010', meta }))).toBe(true);
});

test.each(['53100', '53200', '53300'])("Postgres's %s, out of resources, is a database outage", (code) => {
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
