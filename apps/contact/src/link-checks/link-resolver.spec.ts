import { expect, jest, test } from '@jest/globals';
import { type Lookup, resolvePublic } from './link-resolver.ts';
import { resolveForTests } from './test-hosts.ts';

const lookup = jest.fn<Lookup>();
const failsWith = (code: string) => Object.assign(new Error(code), { code });

test('a name is resolved once, and its IPv4 address is preferred', async () => {
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
])('a name that resolves to %j is refused [contact-3]', async (addresses) => {
  lookup.mockReset().mockResolvedValueOnce(addresses);
  expect(await resolvePublic('trap.example', lookup)).toEqual({ kind: 'refused' });
});

test.each([
  ...['http://127.0.0.1/', 'http://127.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://0177.0.0.1/'],
  ...['http://[::1]/', 'http://[::ffff:10.0.0.1]/', 'http://[64:ff9b::10.0.0.1]/', 'http://169.254.169.254/'],
])('the literal address in %s is refused without a lookup', async (url) => {
  lookup.mockReset();
  expect(await resolvePublic(new URL(url).hostname, lookup)).toEqual({ kind: 'refused' });
  expect(lookup).not.toHaveBeenCalled();
});

test.each([
  ['ENOTFOUND', 'no_such_host'],
  ['ENODATA', 'no_such_host'],
  ['ESERVFAIL', 'unknown'],
  ['ETIMEOUT', 'unknown'],
  ['ECONNREFUSED', 'unknown'],
] as const)('a lookup that fails with %s results in %s', async (code, kind) => {
  lookup.mockReset().mockRejectedValueOnce(failsWith(code));
  expect(await resolvePublic('gone.example', lookup)).toEqual({ kind });
});

test('only test hosts resolve, and only those with a port bypass the guard', async () => {
  const resolve = resolveForTests('here.example=127.0.0.1:4711, inside.example=10.0.0.1,gone.example=');
  expect(await resolve('here.example')).toEqual({
    kind: 'target',
    target: { address: '127.0.0.1', port: 4711 },
  });
  expect(await resolve('inside.example')).toEqual({ kind: 'refused' });
  expect(await resolve('gone.example')).toEqual({ kind: 'no_such_host' });
  expect(await resolve('stoa.example')).toEqual({ kind: 'unknown' });
  expect(await resolve('127.0.0.1')).toEqual({ kind: 'refused' });
});
