import { expect, jest, test } from '@jest/globals';
import { type Lookup, resolvePublic } from './link-resolver.ts';
import { resolveForTests } from './test-hosts.ts';

const lookup = jest.fn<Lookup>();
const failsWith = (code: string) => Object.assign(new Error(code), { code });

test('a name is asked for once, and its IPv4 address taken first', async () => {
  lookup.mockReset().mockResolvedValueOnce(['2606:4700::1111', '93.184.216.34']);
  expect(await resolvePublic('shop.example', lookup)).toEqual({
    kind: 'target',
    target: { address: '93.184.216.34' },
  });
  expect(lookup).toHaveBeenCalledTimes(1);
});

test.each([
  [['127.0.0.1']],
  [['93.184.216.34', '10.0.0.1']],
  [['93.184.216.34', '::1']],
  [['::ffff:169.254.169.254']],
  [['64:ff9b::a9fe:a9fe']],
])('a name that leads to %j is refused', async (addresses) => {
  lookup.mockReset().mockResolvedValueOnce(addresses);
  expect(await resolvePublic('trap.example', lookup)).toEqual({ kind: 'refused' });
});

test.each([
  ...['http://127.0.0.1/', 'http://127.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://0177.0.0.1/'],
  ...['http://[::1]/', 'http://[::ffff:10.0.0.1]/', 'http://[64:ff9b::10.0.0.1]/', 'http://169.254.169.254/'],
])('%s is refused without asking anybody', async (url) => {
  lookup.mockReset();
  expect(await resolvePublic(new URL(url).hostname, lookup)).toEqual({ kind: 'refused' });
  expect(lookup).not.toHaveBeenCalled();
});

test.each([
  ['ENOTFOUND', 'nowhere'],
  ['ENODATA', 'nowhere'],
  ['ESERVFAIL', 'unknown'],
  ['ETIMEOUT', 'unknown'],
  ['ECONNREFUSED', 'unknown'],
] as const)('a name that fails with %s leads %s', async (code, kind) => {
  lookup.mockReset().mockRejectedValueOnce(failsWith(code));
  expect(await resolvePublic('gone.example', lookup)).toEqual({ kind });
});

test('the hosts of tests are the only ones, and alone lead past the guard', async () => {
  const resolve = resolveForTests('here.example=127.0.0.1:4711, inside.example=10.0.0.1,gone.example=');
  expect(await resolve('here.example')).toEqual({
    kind: 'target',
    target: { address: '127.0.0.1', port: 4711 },
  });
  expect(await resolve('inside.example')).toEqual({ kind: 'refused' });
  expect(await resolve('gone.example')).toEqual({ kind: 'nowhere' });
  expect(await resolve('stoa.example')).toEqual({ kind: 'unknown' });
  expect(await resolve('127.0.0.1')).toEqual({ kind: 'refused' });
});
