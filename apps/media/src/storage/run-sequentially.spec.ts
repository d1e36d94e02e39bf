import { expect, it } from '@jest/globals';
import { runSequentially } from './run-sequentially.ts';

const done: number[] = [];
const work = (number: number) => async () => done.push(number);
const failing = (reason: string) => () => Promise.reject(new Error(reason));

it('work after a failed one is done, and the first failure is thrown', async () => {
  const works = [failing('first'), work(1), failing('second'), work(2)];
  await expect(runSequentially(works)).rejects.toThrow('first');
  expect(done.splice(0)).toEqual([1, 2]);
});

it('work after five consecutive failures is not done', async () => {
  const works = [...Array.from({ length: 5 }, () => failing('away')), work(1)];
  await expect(runSequentially(works)).rejects.toThrow('away');
  expect(done.splice(0)).toEqual([]);
});

it('nothing is thrown when all work succeeds', async () => {
  await runSequentially([work(1), work(2)]);
  expect(done.splice(0)).toEqual([1, 2]);
});
