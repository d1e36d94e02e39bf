import { expect, it } from '@jest/globals';
import { isPlainPath } from './plain-path.ts';

it.each(['/', '/realms/stoa/login-actions/authenticate?x=%2F..', '/stoa-public/a_b/c-1.webp', '/a/'])(
  'accepts %s',
  (target) => expect(isPlainPath(target)).toBe(true),
);

it.each([
  '',
  '*',
  '//a',
  '/a//b',
  '/./a',
  '/a/..',
  '/..',
  '/a/../b',
  '/%61',
  '/a%2fb',
  '/a\\b',
  '/a;b',
  'http://x/a',
  '/a b',
])('rejects %j', (target) => expect(isPlainPath(target)).toBe(false));
