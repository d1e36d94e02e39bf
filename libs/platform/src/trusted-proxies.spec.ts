import { expect, it } from '@jest/globals';
import { proxiesEnvironment, trustedProxies } from './trusted-proxies.ts';

const trusts = (settings: object) => trustedProxies(proxiesEnvironment.parse(settings));

it('trusts no proxy by default', () => {
  expect(trusts({})('10.0.0.1', 0)).toBe(false);
});

it('trusts the number of hops where no range is set', () => {
  const believes = trusts({ TRUST_PROXY: '1', TRUST_PROXY_FROM: '' });
  expect([believes('10.0.0.1', 0), believes('10.0.0.1', 1)]).toEqual([true, false]);
});

it('trusts addresses in the ranges only', () => {
  const believes = trusts({ TRUST_PROXY: '2', TRUST_PROXY_FROM: '10.1.0.0/16, fd00::/8,192.0.2.7' });
  const trusted = ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1', '192.0.2.7'];
  const others = ['10.2.0.1', '::ffff:10.2.0.1', 'fe80::1', '192.0.2.8', 'unknown'];
  expect(trusted.filter((address) => !believes(address, 0))).toEqual([]);
  expect(others.filter((address) => believes(address, 0))).toEqual([]);
});

it.each(['ten', '10.0.0.0/40', '10.0.0.0/x', '10.0.0/8', '10.1.0.0/', '10.0.0.0/8/8'])(
  'refuses %s as a range',
  (range) => {
    expect(proxiesEnvironment.safeParse({ TRUST_PROXY_FROM: range }).success).toBe(false);
  },
);
