import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Sweeper as ASweeper } from './sweeper.ts';
import type { WorkerTimes } from './worker.ts';

const telemetry = await import('@stoa/telemetry');
const withTaskSpan = jest.fn(telemetry.withTaskSpan);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, withTaskSpan }));
const { Sweeper } = await import('./sweeper.ts');

const minute = 60_000;
const started: ASweeper[] = [];
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();

class CountingSweeper extends Sweeper {
  rounds = 0;
  // The work of a round. Tests replace it by rounds that fail or last.
  work: (stopping: AbortSignal) => Promise<void> = async () => undefined;

  protected async sweep(stopping: AbortSignal): Promise<void> {
    this.rounds += 1;
    await this.work(stopping);
  }
}

function aSweeper(times: WorkerTimes, work?: CountingSweeper['work']): CountingSweeper {
  const sweeper = new CountingSweeper(times);
  if (work) sweeper.work = work;
  sweeper.onApplicationBootstrap();
  started.push(sweeper);
  return sweeper;
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
});
afterEach(async () => {
  const stopped = Promise.all(started.splice(0).map((sweeper) => sweeper.beforeApplicationShutdown()));
  // The longest wait of a shutdown, for rounds that hang.
  await jest.advanceTimersByTimeAsync(20_000);
  await stopped;
  jest.useRealTimers();
});

test('the first round starts after the initial delay, the others after the interval', async () => {
  const sweeper = aSweeper({ firstMs: 5000, everyMs: minute });
  await jest.advanceTimersByTimeAsync(4999);
  expect(sweeper.rounds).toBe(0);
  await jest.advanceTimersByTimeAsync(1);
  expect(sweeper.rounds).toBe(1);
  await jest.advanceTimersByTimeAsync(2 * minute);
  expect(sweeper.rounds).toBe(3);
});

test('each round has its own span', async () => {
  aSweeper({ firstMs: 0, everyMs: minute });
  await jest.advanceTimersByTimeAsync(minute);
  expect(withTaskSpan.mock.calls.map(([name]) => name)).toEqual(['sweep', 'sweep']);
});

test('a failed round is recorded and logged, and the next one runs', async () => {
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, async () => {
    throw new Error('the database is away');
  });
  await jest.advanceTimersByTimeAsync(0);
  await expect(withTaskSpan.mock.results[0]?.value).rejects.toThrow('the database is away');
  expect(warn.mock.calls).toEqual([['a round failed, trying again later: Error: the database is away']]);
  await jest.advanceTimersByTimeAsync(minute);
  expect(sweeper.rounds).toBe(2);
});

test('rounds do not overlap', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, () => promise);
  await jest.advanceTimersByTimeAsync(3 * minute);
  expect(sweeper.rounds).toBe(1);
  resolve();
  await jest.advanceTimersByTimeAsync(minute);
  expect(sweeper.rounds).toBe(2);
});

test('shutdown waits for the current round and cancels the pause', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, () => promise);
  await jest.advanceTimersByTimeAsync(0);
  const ended = jest.fn();
  const stopping = sweeper.beforeApplicationShutdown().then(ended);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(ended).not.toHaveBeenCalled();
  resolve();
  await stopping;

  const pausing = aSweeper({ firstMs: minute, everyMs: minute });
  await pausing.beforeApplicationShutdown();
  await jest.advanceTimersByTimeAsync(2 * minute);
  expect([sweeper.rounds, pausing.rounds]).toEqual([1, 0]);
});

test('the current round gets an abort signal at shutdown', async () => {
  const sweeper = aSweeper(
    { firstMs: 0, everyMs: minute },
    (stopping) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve())),
  );
  await jest.advanceTimersByTimeAsync(1);
  expect(sweeper.rounds).toBe(1);
  await expect(sweeper.beforeApplicationShutdown()).resolves.toBeUndefined();
});

const never = () => new Promise<void>(() => undefined);

test('a round that never ends is abandoned at its deadline, and the next one runs', async () => {
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute, withinMs: 5000, graceMs: 1000 }, never);
  await jest.advanceTimersByTimeAsync(5999);
  expect(warn).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  const reason = 'the round of CountingSweeper did not end within 6000 ms';
  expect(warn.mock.calls).toEqual([[`a round failed, trying again later: Error: ${reason}`]]);
  await jest.advanceTimersByTimeAsync(minute);
  expect(sweeper.rounds).toBe(2);
});

test('a round that heeds its signal ends well at its deadline', async () => {
  const sweeper = aSweeper(
    { firstMs: 0, everyMs: minute, withinMs: 5000 },
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  await jest.advanceTimersByTimeAsync(5000 + minute);
  expect([sweeper.rounds, warn.mock.calls]).toEqual([2, []]);
});

test('shutdown does not wait for ever for a round that hangs', async () => {
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, never);
  await jest.advanceTimersByTimeAsync(1);
  const ended = jest.fn();
  const stopping = sweeper.beforeApplicationShutdown().then(ended);
  await jest.advanceTimersByTimeAsync(19_999);
  expect(ended).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  await stopping;
});
