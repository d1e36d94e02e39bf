import type { Bus } from '@stoa/messaging';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ProfileLoader } from './profile-loader.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A loader over a service that answers when it is told to, and the names that each request carries. */
function slowService() {
  const asked: string[][] = [];
  const answers: (() => void)[] = [];
  const askForDocuments = (
    _: unknown,
    { username = '', usernames = [username] }: { username?: string; usernames?: string[] },
  ) => {
    asked.push(usernames);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    answers.push(() => resolve(usernames.map((username) => ({ labels: { username } }))));
    return promise;
  };
  return { asked, answers, loader: new ProfileLoader({ askForDocuments } as unknown as Bus) };
}

it('asks together for all names that come while an answer is on its way', async () => {
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
    { labels: { username: 'kofi' } },
    { labels: { username: 'esi' } },
  ]);
});

it('waits for no answer that is slow', async () => {
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
