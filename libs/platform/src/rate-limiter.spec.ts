import { expect, test } from '@jest/globals';
import { KnownKey, RateLimiter } from './rate-limiter.ts';

const secret = 'the same in every replica';

function limiter(limit: number, options: { maxKeys?: number } = {}) {
  const clock = { ms: 1000 };
  const limits = { api: { limit, periodMs: 60_000 } };
  return { clock, limits: new RateLimiter(limits, { secret, now: () => clock.ms, ...options }) };
}

function allowedOf(limits: RateLimiter<'api'>, key: string, times: number): number {
  return Array.from({ length: times }, () => limits.check('api', key)).filter(({ allowed }) => allowed)
    .length;
}

test.each([1, 3, 7, 60, 600])('a burst of %i is allowed, one more is not', (limit) => {
  const { limits } = limiter(limit);
  expect(allowedOf(limits, 'a', limit + 5)).toBe(limit);
  expect(allowedOf(limits, 'b', 1)).toBe(1);
});

test('a retry after Retry-After is allowed, one a second earlier not', () => {
  const { limits, clock } = limiter(6);
  allowedOf(limits, 'a', 6);
  const { retryAfter } = limits.check('api', 'a');
  expect(retryAfter).toBe(10);
  clock.ms += (retryAfter - 1) * 1000;
  expect(limits.check('api', 'a').allowed).toBe(false);
  clock.ms += 1000;
  expect(limits.check('api', 'a').allowed).toBe(true);
  expect(limits.check('api', 'a').allowed).toBe(false);
});

test('a held request counts here immediately, elsewhere once counted, and not once released', () => {
  const { limits } = limiter(2);
  const [wrong, right] = [limits.hold('api', 'a'), limits.hold('api', 'a')];
  expect([wrong.allowed, right.allowed, limits.hold('api', 'a').allowed]).toEqual([true, true, false]);
  expect(limits.takeSpent(10)).toEqual([]);
  wrong.count();
  right.release();
  right.release();
  right.count();
  expect(limits.takeSpent(10).map(([, , times]) => times)).toEqual([1]);
  expect(allowedOf(limits, 'a', 3)).toBe(1);
});

test('a released request evicts no other key', () => {
  const { limits } = limiter(1, { maxKeys: 10 });
  limits.hold('api', 'used').count();
  for (let invented = 0; invented < 100; invented += 1) limits.hold('api', `${invented}`).release();
  expect(limits.check('api', 'used').allowed).toBe(false);
  expect(limits.check('api', '7').allowed).toBe(true);
});

test('a released request leaves the earlier debt of its key', () => {
  const { limits } = limiter(2);
  limits.hold('api', 'a').count();
  limits.hold('api', 'a').release();
  expect(allowedOf(limits, 'a', 3)).toBe(1);
});

test('refused requests do not count', () => {
  const { limits, clock } = limiter(6);
  allowedOf(limits, 'a', 1000);
  clock.ms += 60_000;
  expect(allowedOf(limits, 'a', 10)).toBe(6);
});

test('a steady flow is allowed at the rate of the limit', () => {
  const { limits, clock } = limiter(60);
  let allowed = 0;
  for (let second = 0; second < 600; second += 1) {
    allowed += allowedOf(limits, 'a', 5);
    clock.ms += 1000;
  }
  // The burst at the beginning, then one a second.
  expect(allowed).toBe(59 + 600);
});

test('requests count on both replicas', () => {
  const [one, other] = [limiter(10), limiter(10)];
  expect(allowedOf(one.limits, 'a', 6)).toBe(6);
  other.limits.apply(one.limits.takeSpent(100));
  expect(allowedOf(other.limits, 'a', 10)).toBe(4);
  expect(one.limits.takeSpent(100)).toEqual([]);
});

test('counts of another replica can fill a limit, but not overfill it', () => {
  const { limits, clock } = limiter(10);
  const [[, digest] = ['', '']] = (limits.check('api', 'a'), limits.takeSpent(1));
  limits.apply([
    ['api', digest, 1_000_000],
    ['nothing', digest, 1],
    ['api', 'no digest', 1],
    ['api', digest, Number.NaN],
  ]);
  expect(limits.check('api', 'a')).toEqual({ allowed: false, retryAfter: 6 });
  clock.ms += 6000;
  expect(limits.check('api', 'a').allowed).toBe(true);
});

test('keys are shared as keyed digests, in bounded batches', () => {
  const { limits } = limiter(10);
  for (let key = 0; key < 5; key += 1) limits.check('api', `192.0.2.${key}`);
  const sent = [limits.takeSpent(3), limits.takeSpent(3), limits.takeSpent(3)];
  expect(sent.map(({ length }) => length)).toEqual([3, 2, 0]);
  expect(JSON.stringify(sent)).not.toContain('192.0.2');
  const elsewhere = new RateLimiter({ api: { limit: 10, periodMs: 60_000 } }, { secret: 'of another place' });
  elsewhere.check('api', '192.0.2.0');
  expect(sent[0]?.[0]?.[1]).not.toBe(elsewhere.takeSpent(1)[0]?.[1]);
});

test('memory is bounded: the least recently used key is evicted', () => {
  const { limits } = limiter(1, { maxKeys: 3 });
  expect(['a', 'b', 'c', 'd'].map((key) => limits.check('api', key).allowed)).not.toContain(false);
  expect(limits.check('api', 'd').allowed).toBe(false);
  expect(limits.check('api', 'a').allowed).toBe(true);
  expect(limits.takeSpent(100).length).toBeLessThanOrEqual(3);
});

test('a check takes constant time', () => {
  const limits = new RateLimiter({ api: { limit: 1_000_000, periodMs: 60_000 } }, { secret });
  const spend = (key: string) => {
    const began = performance.now();
    for (let check = 0; check < 20_000; check += 1) limits.check('api', key);
    return performance.now() - began;
  };
  spend('warm-up');
  const fresh = spend('a');
  for (let round = 0; round < 4; round += 1) spend('a');
  expect(spend('a')).toBeLessThan(fresh * 5 + 50);
});

test('a `KnownKey` counts like its key, separately in each limit', () => {
  const periodMs = 60_000;
  const limits = new RateLimiter({ api: { limit: 3, periodMs }, page: { limit: 2, periodMs } }, { secret });
  const known = new KnownKey('a');
  expect([known, 'a', known, known].map((key) => limits.check('api', key).allowed)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(['a', known, known].map((key) => limits.check('page', key).allowed)).toEqual([true, true, false]);
  expect(limits.check('api', new KnownKey('b')).allowed).toBe(true);
});

test('a starting replica learns debts of long periods, however often they are sent', () => {
  const clock = { ms: 1000 };
  const ofDay = { codes: { limit: 6, periodMs: 86_400_000 }, api: { limit: 6, periodMs: 60_000 } };
  const start = () => new RateLimiter(ofDay, { secret, now: () => clock.ms });
  const [old, started] = [start(), start()];
  for (let count = 0; count < 4; count += 1) {
    old.check('codes', 'a');
    old.check('api', 'a');
  }
  clock.ms += 1000;
  const owed = [...old.owed()];
  const unit = 86_400_000 / 6;
  expect(owed.map(([name, , ms]) => [name, ms])).toEqual([['codes', 4 * unit - 1000]]);
  started.remember(owed);
  started.remember(owed);
  const allowed = Array.from({ length: 6 }, () => started.check('codes', 'a').allowed);
  expect(allowed).toEqual([true, true, false, false, false, false]);
  expect([...started.owed()].map(([, , ms]) => ms)).toEqual([6 * unit - 1000]);
});

test('an evicted key keeps its debt if the limit has `outlivesEviction`', () => {
  const clock = { ms: 1000 };
  const codes = { limit: 6, periodMs: 86_400_000 };
  const limits = new RateLimiter(
    { codes: { ...codes, outlivesEviction: true }, api: codes },
    { secret, maxKeys: 100, now: () => clock.ms },
  );
  const allowed = (name: 'codes' | 'api', key: string, times: number) =>
    Array.from({ length: times }, () => limits.check(name, key)).filter((verdict) => verdict.allowed).length;
  const pushOut = (round: number) => {
    for (let other = 0; other < 1000; other += 1)
      for (const name of ['codes', 'api'] as const) limits.check(name, `other-${round}-${other}`);
  };
  for (const name of ['codes', 'api'] as const) expect(allowed(name, 'a', 8)).toBe(6);
  pushOut(1);
  expect([allowed('codes', 'a', 8), allowed('api', 'a', 8)]).toEqual([0, 6]);
  pushOut(2);
  clock.ms += codes.periodMs / 2;
  expect(allowed('codes', 'a', 8)).toBe(3);
  // A key without requests has no debt.
  const fresh = Array.from({ length: 50 }, (_, index) => allowed('codes', `new-${index}`, 8));
  expect(fresh.filter((times) => times === 6).length).toBeGreaterThan(45);
  const held = limits.hold('codes', 'b');
  pushOut(3);
  held.release();
  expect(allowed('codes', 'b', 8)).toBe(6);
});

test('a starting replica learns debts of keys evicted elsewhere, and passes them on', () => {
  const clock = { ms: 1000 };
  const codes = { limit: 6, periodMs: 86_400_000 };
  const start = () =>
    new RateLimiter(
      {
        codes: { ...codes, outlivesEviction: true },
        mails: { ...codes, outlivesEviction: true },
        api: codes,
      },
      { secret, maxKeys: 100, now: () => clock.ms },
    );
  const allowed = (limits: ReturnType<typeof start>, name: 'codes' | 'mails' | 'api', key: string) =>
    [1, 2, 3, 4, 5, 6, 7, 8].filter(() => limits.check(name, key).allowed).length;
  const [first, second, third] = [start(), start(), start()];
  expect([allowed(first, 'codes', 'a'), allowed(first, 'api', 'a')]).toEqual([6, 6]);
  for (let other = 0; other < 1000; other += 1)
    for (const name of ['codes', 'api'] as const) first.check(name, `other-${other}`);
  // A rolling restart: each replica learns from the previous one, in messages of a bounded size.
  for (const [from, to] of [
    [first, second],
    [second, third],
  ] as const) {
    const owed = [...from.owed()];
    while (owed.length > 0) to.remember(owed.splice(0, 50));
  }
  expect([allowed(third, 'codes', 'a'), allowed(third, 'mails', 'a'), allowed(third, 'api', 'a')]).toEqual([
    0, 6, 6,
  ]);
  expect(allowed(third, 'codes', 'new')).toBe(6);
  clock.ms += codes.periodMs;
  expect([...third.owed()]).toEqual([]);
});

test.each(['known', 'evicted'])(
  'a starting replica adopts the debt of a key that it has already counted: %s',
  (state) => {
    const codes = { limit: 6, periodMs: 86_400_000, outlivesEviction: true };
    const start = () => new RateLimiter({ codes }, { secret, maxKeys: 100, now: () => 1000 });
    const allowed = (limits: ReturnType<typeof start>) =>
      [1, 2, 3, 4, 5, 6, 7, 8].filter(() => limits.check('codes', 'a').allowed).length;
    const [first, second, third] = [start(), start(), start()];
    expect(allowed(first)).toBe(6);
    if (state === 'evicted')
      for (let other = 0; other < 200; other += 1) first.check('codes', `other-${other}`);
    for (const [from, to] of [
      [first, second],
      [second, third],
    ] as const) {
      expect(to.check('codes', 'a').allowed).toBe(true);
      const owed = [...from.owed()];
      while (owed.length > 0) to.remember(owed.splice(0, 50));
      expect(allowed(to)).toBe(0);
    }
  },
);

test.each(['known', 'evicted'])('starts of other replicas do not prolong a debt: %s', (state) => {
  const clock = { ms: 1000.25 };
  const codes = { limit: 6, periodMs: 86_400_000, outlivesEviction: true };
  const start = () => new RateLimiter({ codes }, { secret, maxKeys: 100, now: () => clock.ms });
  const replicas = [start(), start(), start()];
  replicas[0]?.check('codes', 'a');
  if (state === 'evicted')
    for (let other = 0; other < 200; other += 1) replicas[0]?.check('codes', `other-${other}`);
  for (let hour = 1; hour <= 4; hour += 1) {
    clock.ms += 3_600_000;
    replicas[hour % 3] = start();
    for (const from of replicas) {
      const owed = [...from.owed()];
      for (const to of replicas) if (to !== from) to.remember(owed);
    }
  }
  clock.ms += 100;
  expect(replicas.flatMap((replica) => [...replica.owed()])).toEqual([]);
  for (const replica of replicas)
    expect(Array.from({ length: 7 }, () => replica.check('codes', 'a').allowed)).toEqual([
      ...Array<boolean>(6).fill(true),
      false,
    ]);
});

test('an invalid cell is ignored', () => {
  const codes = { limit: 6, periodMs: 86_400_000, outlivesEviction: true };
  const limits = new RateLimiter({ codes, api: { limit: 6, periodMs: 86_400_000 } }, { secret });
  limits.remember([
    ['codes', '#2.1', 1],
    ['codes', '#0.999999', 1],
    ['codes', '#0.-1', 1],
    ['codes', '#0.1', Number.NaN],
    ['nothing', '#0.1', 1],
    ['api', '#0.1', 1],
  ]);
  limits.apply([['codes', '#0.1', 1]]);
  expect([...limits.owed()]).toEqual([]);
});
