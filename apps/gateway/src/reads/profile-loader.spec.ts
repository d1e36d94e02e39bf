import { limits, ProfileChanges } from '@stoa/contracts';
import type { Bus } from '@stoa/messaging';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ProfileLoader, profilesPerMessage } from './profile-loader.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A loader and a stub of its service, which answers when the test triggers it and records the requested usernames. */
function slowService() {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const ask = (_: unknown, { username, usernames = [] }: { username?: string; usernames?: string[] }) => {
    asked.push(username === undefined ? usernames : [username]);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const items = usernames.map((name) => ({ username: name }));
    answers.push(() => resolve(username === undefined ? { items } : { username }));
    return promise;
  };
  return { asked, answers, loader: new ProfileLoader({ ask } as unknown as Bus) };
}

it('batches all usernames that arrive while a request is in flight', async () => {
  const { asked, answers, loader } = slowService();
  const first = loader.load('ama');
  await turn();
  const second = loader.load('kofi');
  await turn();
  const third = loader.load('esi');
  answers[0]?.();
  await first;
  await turn();
  await turn();
  expect(asked).toEqual([['ama'], ['kofi', 'esi']]);
  answers[1]?.();
  await expect(Promise.all([second, third])).resolves.toMatchObject([
    { username: 'kofi' },
    { username: 'esi' },
  ]);
});

it('does not wait for a slow response', async () => {
  const { asked, loader } = slowService();
  void loader.load('ama');
  await turn();
  void loader.load('kofi');
  await turn();
  expect(asked).toEqual([['ama']]);
  jest.advanceTimersByTime(5);
  await turn();
  expect(asked).toEqual([['ama'], ['kofi']]);
});

/** The longest valid text: each of these Devanagari characters counts once, but has many bytes. */
const longest = (max: number) => `क${'्क'.repeat(7)}`.repeat(max);
const longestLink = (host: string) => {
  const start = `https://${host}/`;
  return start + 'a'.repeat(limits.urlLength - start.length);
};

it('limits a batch so that the largest profiles fit into a message', async () => {
  const links = (count: number) => Array.from({ length: count }, (_, n) => longestLink(`a${n}.example.com`));
  const largest = ProfileChanges.parse({
    ...{ displayName: longest(limits.displayNameLength), bio: longest(limits.bioLength), niches: [] },
    paygates: links(limits.paygates).map((url) => ({ name: longest(60), url })),
    links: links(limits.ownLinks).map((url) => ({ label: longest(limits.linkLabelLength), url })),
    socialLinks: {
      youtube: longestLink('youtube.com'),
      tiktok: longestLink('tiktok.com'),
      instagram: longestLink('instagram.com'),
    },
  });
  const size = Buffer.byteLength(JSON.stringify(largest));
  expect(size).toBeGreaterThan(150_000);
  // 5,000 bytes for the pictures, field names and the rest of the message.
  expect((size + 5000) * profilesPerMessage).toBeLessThan(8 * 1024 * 1024);

  const { asked, loader } = slowService();
  for (let n = 0; n <= profilesPerMessage; n += 1) void loader.load(`ama-${n}`);
  await turn();
  expect(asked.map(({ length }) => length)).toEqual([profilesPerMessage, 1]);
});
