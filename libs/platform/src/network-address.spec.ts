import { expect, test } from '@jest/globals';
import { subscriberNetwork } from './network-address.ts';

test('an IPv4 address is one subscriber in every notation', () => {
  const written = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '::FFFF:C000:0201'];
  expect(new Set(written.map(subscriberNetwork)).size).toBe(1);
  expect(subscriberNetwork('192.0.2.2')).not.toBe(subscriberNetwork('192.0.2.1'));
});

test('IPv6 addresses of one /64 are one subscriber', () => {
  const one = ['2001:db8:0:7::1', '2001:db8:0:7:ffff:ffff:ffff:ffff', '2001:0DB8:0000:0007::2%eth0'];
  expect(new Set(one.map(subscriberNetwork)).size).toBe(1);
  expect(subscriberNetwork('2001:db8:0:8::1')).not.toBe(subscriberNetwork('2001:db8:0:7::1'));
});

test('invalid addresses share one subscriber', () => {
  expect(['', 'unknown', '1.2.3.4:80', '999.1.1.1'].map(subscriberNetwork)).toEqual([
    '',
    'unknown',
    '1.2.3.4:80',
    '999.1.1.1',
  ]);
});
