import { expect, it } from '@jest/globals';
import { PasswordChanges, rememberedMs } from './password-changes.ts';

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const link = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
const sentAgo = (ms: number, more: object = {}) =>
  link({ typ: 'reset-credentials', sub: 'ada', iat: Math.floor((Date.now() - ms) / 1000), ...more });

it('voids the links of an account that were sent before its password was changed', () => {
  const changes = new PasswordChanges();
  expect(changes.voids(sentAgo(60_000))).toBe(false);
  changes.add({ uid: 'ada', at: ago(30_000) });
  changes.add({ uid: 'ada', at: ago(50_000) });
  expect(changes.voids(sentAgo(40_000))).toBe(true);
  expect(changes.voids(sentAgo(10_000))).toBe(false);
  expect(changes.voids(sentAgo(60_000, { sub: 'bob' }))).toBe(false);
  expect(changes.voids(sentAgo(60_000, { typ: 'verify-email' }))).toBe(false);
});

it('leaves what it cannot read to Keycloak, and forgets what no link can be older than', () => {
  const changes = new PasswordChanges();
  for (const token of [null, '', 'x', 'a.b.c', link([]), 'e30.bnVsbA.x'])
    expect(changes.voids(token)).toBe(false);
  changes.add({ uid: 'ada', at: ago(rememberedMs + 1000) });
  expect(changes.voids(sentAgo(rememberedMs * 2))).toBe(false);
});
