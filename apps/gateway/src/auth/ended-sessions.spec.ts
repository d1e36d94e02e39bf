import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { EndedSessions, retentionMs, type SignedToken, tokenLifetimeMs } from './ended-sessions.ts';

const now = Date.parse('2026-11-22T10:00:00.500Z');
const uid = randomUUID();
const aSid = () => randomBytes(18).toString('base64url');
const iso = (ms: number) => new Date(ms).toISOString();

let ended: EndedSessions;
beforeEach(() => {
  jest.useFakeTimers({ now });
  ended = new EndedSessions();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Claims of a token that was signed `agoMs` ago. */
const aToken = (agoMs: number, changes: Partial<SignedToken> = {}): SignedToken => ({
  uid,
  sid: aSid(),
  iat: Math.floor((now - agoMs) / 1000),
  ...changes,
});

test("an ended session revokes all of its tokens and no other session's", () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now) });
  expect(ended.includes(aToken(60_000, { sid }))).toBe(true);
  expect(ended.includes(aToken(0, { sid }))).toBe(true);
  expect(ended.includes(aToken(60_000))).toBe(false);
});

test('a log-in after the end of a session is accepted, although Keycloak reuses the session id', () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now) });
  ended.add({ uid, sid, at: iso(now - 60_000) });
  expect(ended.includes(aToken(0, { sid }))).toBe(true);
  expect(ended.includes(aToken(-1000, { sid }))).toBe(false);
});

test('an ended session without an account is revoked by its id', () => {
  const sid = aSid();
  ended.add({ uid: null, sid, at: iso(now) });
  expect(ended.includes(aToken(1000, { sid }))).toBe(true);
  expect(ended.includes(aToken(1000))).toBe(false);
});

test("ending an account's sessions revokes every token issued up to that second", () => {
  ended.add({ uid, sid: null, at: iso(now) });
  expect(ended.includes(aToken(60_000))).toBe(true);
  expect(ended.includes(aToken(0))).toBe(true);
  expect(ended.includes(aToken(-1000))).toBe(false);
  expect(ended.includes(aToken(60_000, { uid: randomUUID() }))).toBe(false);
});

test('an older event that arrives late is ignored', () => {
  ended.add({ uid, sid: null, at: iso(now) });
  ended.add({ uid, sid: null, at: iso(now - 60_000) });
  expect(ended.includes(aToken(10_000))).toBe(true);
});

test('signing everybody out revokes every token', () => {
  ended.add({ uid: null, sid: null, at: iso(now) });
  expect(ended.includes(aToken(10_000))).toBe(true);
  expect(ended.includes(aToken(10_000, { uid: randomUUID() }))).toBe(true);
  expect(ended.includes(aToken(-1000))).toBe(false);
});

test('a revocation is kept for the lifetime of a token, and no longer', () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now) });
  jest.advanceTimersByTime(tokenLifetimeMs + 1000);
  expect(ended.includes(aToken(0, { sid }))).toBe(true);
  jest.advanceTimersByTime(retentionMs - tokenLifetimeMs);
  expect(ended.includes(aToken(0, { sid }))).toBe(false);
});

test('expired revocations are evicted', () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now - retentionMs - 1) });
  expect(ended.includes(aToken(0, { sid }))).toBe(false);
});

test('revocations are bounded: the oldest are evicted', () => {
  const first = aSid();
  ended.add({ uid, sid: first, at: iso(now) });
  for (let count = 0; count < 100_000; count += 1) ended.add({ uid, sid: `session-${count}`, at: iso(now) });
  expect(ended.includes(aToken(0, { sid: 'session-99999' }))).toBe(true);
  expect(ended.includes(aToken(0, { sid: first }))).toBe(false);
});

test("the realm's token lifetime is within the retention of revocations", () => {
  const file = new URL('../../../../deploy/keycloak/realm.json', import.meta.url);
  const realm = JSON.parse(readFileSync(file, 'utf8')) as { accessTokenLifespan: number };
  expect(realm.accessTokenLifespan * 1000).toBeLessThanOrEqual(tokenLifetimeMs);
});
