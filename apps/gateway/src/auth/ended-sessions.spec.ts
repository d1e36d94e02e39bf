import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { EndedSessions, rememberedMs, type SignedToken, tokenLifeMs } from './ended-sessions.ts';

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

/** A token that was signed so many milliseconds before now. */
const aToken = (agoMs: number, changes: Partial<SignedToken> = {}): SignedToken => ({
  uid,
  sid: aSid(),
  iat: Math.floor((now - agoMs) / 1000),
  ...changes,
});

test('only the session that ended is over, with all its tokens', () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now) });
  expect(ended.includes(aToken(60_000, { sid }))).toBe(true);
  expect(ended.includes(aToken(0, { sid }))).toBe(true);
  expect(ended.includes(aToken(60_000))).toBe(false);
});

test('a session is over also where nobody knows whose it was', () => {
  const sid = aSid();
  ended.add({ uid: null, sid, at: iso(now) });
  expect(ended.includes(aToken(1000, { sid }))).toBe(true);
  expect(ended.includes(aToken(1000))).toBe(false);
});

test('of an account everything is over that was signed before, up to the very second', () => {
  ended.add({ uid, sid: null, at: iso(now) });
  expect(ended.includes(aToken(60_000))).toBe(true);
  expect(ended.includes(aToken(0))).toBe(true);
  expect(ended.includes(aToken(-1000))).toBe(false);
  expect(ended.includes(aToken(60_000, { uid: randomUUID() }))).toBe(false);
});

test('an earlier end that is told late takes nothing back', () => {
  ended.add({ uid, sid: null, at: iso(now) });
  ended.add({ uid, sid: null, at: iso(now - 60_000) });
  expect(ended.includes(aToken(10_000))).toBe(true);
});

test('everybody is signed out at once', () => {
  ended.add({ uid: null, sid: null, at: iso(now) });
  expect(ended.includes(aToken(10_000))).toBe(true);
  expect(ended.includes(aToken(10_000, { uid: randomUUID() }))).toBe(true);
  expect(ended.includes(aToken(-1000))).toBe(false);
});

test('an end is remembered for as long as a token of before may live, and no longer', () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now) });
  jest.advanceTimersByTime(tokenLifeMs + 1000);
  expect(ended.includes(aToken(0, { sid }))).toBe(true);
  jest.advanceTimersByTime(rememberedMs - tokenLifeMs);
  expect(ended.includes(aToken(0, { sid }))).toBe(false);
});

test('what ended long ago takes no place', () => {
  const sid = aSid();
  ended.add({ uid, sid, at: iso(now - rememberedMs - 1) });
  expect(ended.includes(aToken(0, { sid }))).toBe(false);
});

test('as many ends as there is place for are kept, the latest of them', () => {
  const first = aSid();
  ended.add({ uid, sid: first, at: iso(now) });
  for (let count = 0; count < 100_000; count += 1) ended.add({ uid, sid: `session-${count}`, at: iso(now) });
  expect(ended.includes(aToken(0, { sid: 'session-99999' }))).toBe(true);
  expect(ended.includes(aToken(0, { sid: first }))).toBe(false);
});

test('the realm signs no token that outlives what is remembered', () => {
  const file = new URL('../../../../deploy/keycloak/realm.json', import.meta.url);
  const realm = JSON.parse(readFileSync(file, 'utf8')) as { accessTokenLifespan: number };
  expect(realm.accessTokenLifespan * 1000).toBeLessThanOrEqual(tokenLifeMs);
});
