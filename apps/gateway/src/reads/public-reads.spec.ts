import { type Bus, readsCurrent, Refusal } from '@stoa/messaging';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { GatewayConfig } from '../gateway.config.ts';
import { alwaysRevalidate, type ResponseKind } from './cached-response.ts';
import { PublicReads } from './public-reads.ts';

beforeEach(() => void jest.useFakeTimers({ now: Date.parse('2030-12-03T15:00:00Z') }));
afterEach(() => void jest.useRealTimers());

const end = Date.parse('2030-12-03T16:00:00Z');
const kind: ResponseKind = {
  ...{ area: 'api', route: '/x', limits: [], contentType: 'application/json' },
  ...{ cacheControl: 'public, s-maxage=60', freshMs: 7_200_000, sharedMs: 60_000 },
};

function readsOf(kinds: Partial<ResponseKind> = {}) {
  const config = { PUBLIC_READS_BYTES: 1_000_000, PUBLIC_READS_LOADING: 10, PUBLIC_READS_STALE_SECONDS: 60 };
  const here = 'http://localhost';
  const places = { SITE_URL: here, KEYCLOAK_URL: here, MEDIA_PUBLIC_URL: here, S3_PUBLIC_ENDPOINT: here };
  const settings = { ...config, ...places, READ_TIMEOUT_MS: 1000 };
  const bus = { opened: new Promise(() => {}) };
  const reads = new PublicReads(settings as unknown as GatewayConfig, bus as unknown as Bus);
  const load = jest.fn(async () => {
    const ended = Date.now() >= end;
    return { text: JSON.stringify({ ended }), tags: [], expiresAt: ended ? Infinity : end };
  });
  const read = async () => (await reads.read('x', { ...kind, ...kinds }, load)).answer;
  return { reads, load, read };
}

test('a response with a workshop is cached until the workshop ends, and then loaded again', async () => {
  const { reads, load, read } = readsOf();
  expect((await read()).text).toBe('{"ended":false}');
  jest.advanceTimersByTime(3_599_999);
  expect(reads.peek('x')?.answer.text).toBe('{"ended":false}');
  expect(load).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(1);
  expect(reads.peek('x')).toBeUndefined();
  expect((await read()).text).toBe('{"ended":true}');
  expect(reads.peek('x')?.answer.text).toBe('{"ended":true}');
  expect(load).toHaveBeenCalledTimes(2);
});

test('an end after the freshness of a response has no effect', async () => {
  const { reads, read } = readsOf({ freshMs: 1000 });
  await read();
  jest.advanceTimersByTime(999);
  expect(reads.peek('x')).toBeDefined();
  jest.advanceTimersByTime(1);
  expect(reads.peek('x')).toBeUndefined();
});

test.each([
  ['may store a response that stays valid for longer', 3_539_999, kind.cacheControl],
  ['must revalidate a response that could expire first', 3_540_001, alwaysRevalidate],
])('shared caches %s [gateway-12]', async (_, freshMs, expected) => {
  const { read } = readsOf({ freshMs });
  const { headers } = await (await read()).representation('identity');
  expect(headers['cache-control']).toBe(expected);
});

/** A cache whose loads return a text with tags. It counts the loads of each key. */
function taggedReads() {
  const { reads } = readsOf();
  const loads = new Map<string, number>();
  const read = async (key: string, tags: string[], during?: () => void) => {
    const load = async () => {
      loads.set(key, (loads.get(key) ?? 0) + 1);
      during?.();
      return { text: key, tags };
    };
    return reads.read(key, kind, load);
  };
  return { reads, read, loads };
}

test('an invalidated tag makes stale only the responses with that tag', async () => {
  const { reads, read, loads } = taggedReads();
  const readAll = () => Promise.all([read('list', ['a', 'b']), read('of a', ['a']), read('of b', ['b'])]);
  await readAll();
  reads.forget(['a']);
  await readAll();
  expect(Object.fromEntries(loads)).toEqual({ list: 2, 'of a': 2, 'of b': 1 });
});

test('a response is not cached when its tag is removed during the load, and is stale when the tag changes', async () => {
  const { reads, read } = taggedReads();
  await read('removed', ['a'], () => reads.remove(['a']));
  await read('changed', ['b'], () => reads.forget(['b']));
  const away = () => Promise.reject(new Refusal('unavailable', 'away'));
  await expect(reads.read('removed', kind, away)).rejects.toThrow('away');
  expect((await reads.read('changed', kind, away)).ageMs).toBeDefined();
});

describe('a lagging replica', () => {
  const lagging = { ...kind, mayLag: true };
  /** A cache whose loads record whether they had to be current. With `tags` null the record is missing. */
  function currentReads() {
    const { reads } = readsOf();
    const loads: boolean[] = [];
    const read = (key: string, tags: string[] | null, of: ResponseKind = lagging) =>
      reads.read(key, of, async () => {
        loads.push(readsCurrent());
        if (tags) return { text: key, tags };
        throw new Refusal('not_found', 'No.');
      });
    return { reads, read, loads };
  }

  test('serves reads, except for 30 s after the invalidation of their tag [gateway-13]', async () => {
    const { reads, read, loads } = currentReads();
    await read('of a', ['a']);
    expect(loads.splice(0)).toEqual([false]);
    reads.forget(['a']);
    await read('of a', ['a']);
    expect(loads.splice(0)).toEqual([true]);
    // The tags of this response are known only after its first load, so it is loaded again to be current.
    await read('list', ['b', 'a']);
    expect(loads.splice(0)).toEqual([false, true]);
    await read('of b', ['b']);
    expect(loads.splice(0)).toEqual([false]);
    jest.advanceTimersByTime(30_001);
    await read('another list', ['a']);
    expect(loads.splice(0)).toEqual([false]);
  });

  test('does not decide that a record is missing for 30 s after any invalidation', async () => {
    const { reads, read, loads } = currentReads();
    await expect(read('x', null)).rejects.toThrow('No.');
    expect(loads.splice(0)).toEqual([false]);
    reads.forget(['a']);
    await expect(read('x', null)).rejects.toThrow('No.');
    expect(loads.splice(0)).toEqual([false, true]);
    jest.advanceTimersByTime(30_001);
    await expect(read('x', null)).rejects.toThrow('No.');
    expect(loads.splice(0)).toEqual([false]);
  });

  test('does not affect responses that are made of cached ones', async () => {
    const { reads, read, loads } = currentReads();
    reads.remove(['a']);
    await read('page of a', ['a'], kind);
    await expect(read('no page', null, kind)).rejects.toThrow('No.');
    expect(loads).toEqual([false, false]);
  });

  test('does not serve reads after a write of the same gateway', async () => {
    const { reads, read, loads } = currentReads();
    await reads.write(['a'], Promise.resolve());
    await read('of a', ['a']);
    expect(loads.at(-1)).toBe(true);
  });
});

test('a stale response is served while its source is down, up to its maximum age', async () => {
  const { reads, read } = taggedReads();
  await read('x', ['a']);
  reads.forget(['a']);
  const away = () => Promise.reject(new Refusal('unavailable', 'away'));
  jest.advanceTimersByTime(59_000);
  expect((await reads.read('x', kind, away)).ageMs).toBe(59_000);
  jest.advanceTimersByTime(2000);
  await expect(reads.read('x', kind, away)).rejects.toThrow('away');
});

test('memory is bounded, including the index of tags', async () => {
  const { reads, read } = taggedReads();
  const tags = Array.from({ length: 40 }, (_, tag) => `tag ${tag}`);
  const keys = Array.from({ length: 200 }, (_, key) => `key ${key}`);
  for (const key of keys) await read(key, tags);
  const kept = keys.filter((key) => reads.peek(key));
  // The cache of 1 MB has room for 73 responses: each takes 1,500 bytes, its text, and 300 bytes for each of 40 tags.
  expect(kept).toEqual(keys.slice(-kept.length));
  expect(kept.length).toBe(73);
});

test('an invalidated tag reaches exactly its responses, also after repeated loads', async () => {
  const { reads } = readsOf();
  const tagged = (key: string, ...tags: string[]) =>
    reads.read(key, kind, async () => ({ text: '{}'.padEnd(2000), tags }));
  const fresh = () => ['x', 'y', 'z'].filter((key) => reads.peek(key));
  const loadAll = async () => {
    await tagged('x', 'ama');
    await tagged('y', 'ama', 'kofi');
    await tagged('z', 'kofi');
  };
  for (let time = 0; time < 2; time += 1) {
    await loadAll();
    expect(fresh()).toEqual(['x', 'y', 'z']);
    reads.forget(['ama']);
    expect(fresh()).toEqual(['z']);
    await loadAll();
    reads.remove(['kofi']);
    expect(fresh()).toEqual(['x']);
    reads.forget(['ama']);
    expect(fresh()).toEqual([]);
  }
  // The new encoding makes the cache store the entry again, with the same tags.
  const { answer } = await tagged('x', 'ama');
  await reads.representationOf('x', answer, 'br');
  reads.forget(['ama']);
  expect(fresh()).toEqual([]);
});
