import { expect, test } from '@jest/globals';
import { isPublicAddress, subscriberNetwork } from './network-address.ts';

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

test.each([
  ...['1.1.1.1', '93.184.216.34', '100.63.255.255', '100.128.0.1', '172.15.0.1', '172.32.0.1', '192.167.1.1'],
  ...['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '::ffff:93.184.216.34'],
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  // This machine, private and shared networks, and link-local addresses with the metadata services of clouds.
  ...['0.0.0.0', '0.1.2.3', '127.0.0.1', '127.255.255.254', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '169.254.169.254', '169.254.170.2', '100.64.0.1', '100.100.100.200', '168.63.129.16'],
  // Addresses for multicast, documentation and benchmarks, and reserved ones.
  ...['224.0.0.1', '239.255.255.255', '255.255.255.255', '240.0.0.1', '192.0.2.1', '198.51.100.1'],
  ...['203.0.113.1', '198.18.0.1', '192.0.0.170', '192.88.99.1'],
  // The same IPv4 ranges embedded in IPv6, and IPv6's own non-public ranges.
  ...['::', '::1', '::10.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '::ffff:0:10.0.0.1'],
  ...['64:ff9b::10.0.0.1', '64:ff9b::5db8:d822', '64:ff9b:1::1', '2002:a00:1::', '2001::1'],
  ...['fc00::1', 'fd00:ec2::254', 'fe80::1', 'fe80::1%eth0', '2606:4700::1%eth0', 'fec0::1', 'ff02::1'],
  ...['2001:db8::1', '3fff::1', '100::1', '5f00::1', '4000::1'],
  // Other spellings of IPv4 addresses, and invalid addresses.
  ...['127.1', '2130706433', '0x7f000001', '0177.0.0.1', '1.1.1', '', 'localhost', '[::1]', '1.1.1.1:80'],
])('%s is not public [platform-3]', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
