import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { hasOneHost } from './host-header.ts';

const ask = (hosts: string[], httpVersion = '1.1') =>
  hasOneHost({
    rawHeaders: ['Accept', 'host', ...hosts.flatMap((host) => ['Host', host])],
    httpVersion,
  } as IncomingMessage);

test.each([
  'localhost',
  'Stoa.example:8080',
  '127.0.0.1:3000',
  '[::1]:8080',
  '[2001:db8::1]',
  'a_b.example',
  'a.example.',
])('the host %s is taken', (host) => {
  expect(ask([host])).toBe(true);
});

test.each([
  '',
  'x/y',
  'a b',
  'a,b',
  'a@b',
  'a:b',
  'a:',
  '[::1',
  '::1',
  'a?b',
  'a#b',
  '-a',
  `${'a'.repeat(262)}`,
])('the host “%s” is refused', (host) => {
  expect(ask([host])).toBe(false);
});

test('a request has one Host header; HTTP/1.0 needs none', () => {
  expect(ask(['a', 'a'])).toBe(false);
  expect(ask([])).toBe(false);
  expect(ask([], '1.0')).toBe(true);
  expect(ask(['a', 'b'], '1.0')).toBe(false);
});
