import { expect, it } from '@jest/globals';
import { PasswordChanges, retentionMs } from './password-changes.ts';

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const link = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;
const sentAgo = (ms: number, more: object = {}) =>
  link({ typ: 'reset-credentials', sub: 'ada', iat: Math.floor((Date.now() - ms) / 1000), ...more });

it('revokes the links that were sent before the password was changed', () => {
  const changes = new PasswordChanges();
  expect(changes.revokes(sentAgo(60_000))).toBe(false);
  changes.add({ uid: 'ada', at: ago(30_000) });
  changes.add({ uid: 'ada', at: ago(50_000) });
  expect(changes.revokes(sentAgo(40_000))).toBe(true);
  expect(changes.revokes(sentAgo(10_000))).toBe(false);
  expect(changes.revokes(sentAgo(60_000, { sub: 'bob' }))).toBe(false);
  expect(changes.revokes(sentAgo(60_000, { typ: 'verify-email' }))).toBe(false);
});

it('leaves unreadable tokens to Keycloak, and forgets changes older than any link', () => {
  const changes = new PasswordChanges();
  for (const token of [null, '', 'x', 'a.b.c', link([]), 'e30.bnVsbA.x'])
    expect(changes.revokes(token)).toBe(false);
  changes.add({ uid: 'ada', at: ago(retentionMs + 1000) });
  expect(changes.revokes(sentAgo(retentionMs * 2))).toBe(false);
});

it('recognizes the links that a change of the password revokes', () => {
  const changes = new PasswordChanges();
  expect(changes.concerns(sentAgo(0))).toBe(true);
  expect(changes.concerns(sentAgo(0, { typ: 'verify-email' }))).toBe(false);
  expect(changes.concerns('a.b.c')).toBe(false);
});
