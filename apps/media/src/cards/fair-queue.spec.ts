import { expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { FairQueue } from './fair-queue.ts';

/** Makes a queue with tasks that end when the test ends them, and records the order in which they start. */
function queue(waiting = 4) {
  const tasks = new FairQueue({ concurrency: 1, waiting });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: string[] = [];
  const run = (name: string) =>
    void tasks
      .run(name.charAt(0), () => {
        begun.push(name);
        const { promise, resolve } = Promise.withResolvers<void>();
        ends.push(resolve);
        return promise;
      })
      .catch(() => refused.push(name));
  const endAll = async () => {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await turn();
    }
  };
  return { run, begun, refused, endAll };
}

it('starts the first task of an owner after one task of each other', async () => {
  const { run, begun, endAll } = queue(10);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) run(name);
  await endAll();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('replaces the last task of the owner with the most by the first of another owner', async () => {
  const { run, begun, refused, endAll } = queue();
  for (let number = 1; number <= 40; number += 1) run(`a${number}`);
  await turn();
  expect(refused).toHaveLength(35);
  for (const name of ['b1', 'c1', 'd1']) run(name);
  await endAll();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
});

it('refuses a task when no owner has more waiting, and continues after a failed one', async () => {
  const { run, begun, refused, endAll } = queue(2);
  for (const name of ['a1', 'b1', 'c1', 'd1']) run(name);
  await turn();
  expect(refused).toEqual(['d1']);
  const failing = new FairQueue({ concurrency: 1, waiting: 2 });
  const failed = failing.run('a', () => Promise.reject(new Error('no')));
  await expect(failed).rejects.toThrow('no');
  await expect(failing.run('a', async () => 'next')).resolves.toBe('next');
  await endAll();
  expect(begun).toEqual(['a1', 'b1', 'c1']);
});
