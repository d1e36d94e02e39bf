import { asTask } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sweeper, type SweepTimes } from './sweeper.ts';

vi.mock(import('@stoa/telemetry'), { spy: true });

const minute = 60_000;
const started: Sweeper[] = [];
const warn = vi.spyOn(Logger.prototype, 'warn').mockReturnValue();

class CountingSweeper extends Sweeper {
  rounds = 0;
  // Replaced by a test that wants a round to fail or to last.
  work: () => Promise<void> = async () => undefined;

  protected async sweep(): Promise<void> {
    this.rounds += 1;
    await this.work();
  }
}

function aSweeper(times: SweepTimes, work?: () => Promise<void>): CountingSweeper {
  const sweeper = new CountingSweeper(times);
  if (work) sweeper.work = work;
  sweeper.onApplicationBootstrap();
  started.push(sweeper);
  return sweeper;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((sweeper) => sweeper.beforeApplicationShutdown()));
  vi.useRealTimers();
});

test('the first round comes after its own pause, the others after theirs', async () => {
  const sweeper = aSweeper({ firstMs: 5000, everyMs: minute });
  await vi.advanceTimersByTimeAsync(4999);
  expect(sweeper.rounds).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(sweeper.rounds).toBe(1);
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect(sweeper.rounds).toBe(3);
});

test('each round is a task of its own', async () => {
  aSweeper({ firstMs: 0, everyMs: minute });
  await vi.advanceTimersByTimeAsync(minute);
  expect(vi.mocked(asTask).mock.calls.map(([name]) => name)).toEqual(['sweep', 'sweep']);
});

test('a round that fails is told to its task and to the log, and the next one comes in time', async () => {
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, async () => {
    throw new Error('the database is away');
  });
  await vi.advanceTimersByTimeAsync(0);
  await expect(vi.mocked(asTask).mock.results[0]?.value).rejects.toThrow('the database is away');
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'sweeping failed, trying again later: Error: the database is away',
  );
  await vi.advanceTimersByTimeAsync(minute);
  expect(sweeper.rounds).toBe(2);
});

test('a round that lasts is not overtaken by the next', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, () => promise);
  await vi.advanceTimersByTimeAsync(3 * minute);
  expect(sweeper.rounds).toBe(1);
  resolve();
  await vi.advanceTimersByTimeAsync(minute);
  expect(sweeper.rounds).toBe(2);
});

test('stopping waits for the round that is under way and ends a pause at once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sweeper = aSweeper({ firstMs: 0, everyMs: minute }, () => promise);
  await vi.advanceTimersByTimeAsync(0);
  const ended = vi.fn();
  const stopping = sweeper.beforeApplicationShutdown().then(ended);
  await vi.advanceTimersByTimeAsync(minute);
  expect(ended).not.toHaveBeenCalled();
  resolve();
  await stopping;

  const pausing = aSweeper({ firstMs: minute, everyMs: minute });
  await pausing.beforeApplicationShutdown();
  await vi.advanceTimersByTimeAsync(2 * minute);
  expect([sweeper.rounds, pausing.rounds]).toEqual([1, 0]);
});
