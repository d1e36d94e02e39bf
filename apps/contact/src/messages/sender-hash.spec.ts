import { expect, test } from '@jest/globals';
import { hashNetwork, hashSender } from './sender-hash.ts';

const key = 'a key that nobody knows';
const same = (a: string, b: string) => hashSender(a, key) === hashSender(b, key);

test.each([
  ['198.51.100.7', '::ffff:198.51.100.7', true],
  ['198.51.100.7', '198.51.100.8', false],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002::2', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::1', '0.0.0.1', false],
  ['unknown', 'unknown', true],
  ['unknown', '_hidden', false],
] as const)('%s and %s are one sender: %s', (a, b, expected) => {
  expect(same(a, b)).toBe(expected);
});

test('a hash does not reveal the address and depends on the key [contact-8]', () => {
  expect(hashSender('198.51.100.7', key)).toMatch(/^[\w-]{43}$/);
  expect(hashSender('198.51.100.7', key)).not.toBe(hashSender('198.51.100.7', 'another key, just as secret'));
});

test('addresses of one /24, or of one /48 of IPv6, are one network', () => {
  const one = (a: string, b: string) => hashNetwork(a, key) === hashNetwork(b, key);
  expect(one('198.51.100.7', '198.51.100.200')).toBe(true);
  expect(one('198.51.100.7', '::ffff:198.51.100.8')).toBe(true);
  expect(one('198.51.100.7', '198.51.101.7')).toBe(false);
  expect(one('2001:db8:1:2::1', '2001:db8:1:ffff::1')).toBe(true);
  expect(one('2001:db8:1::1', '2001:db8:2::1')).toBe(false);
  expect(hashNetwork('unknown', key)).not.toBe(hashSender('unknown', key));
});
