import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Worker as AWorker, WorkerTimes } from './worker.ts';

const telemetry = await import('@stoa/telemetry');
const unobserve = jest.fn();
type Liveness = { age: number; overdue: number };
const observeTogether = jest.fn(
  (_gauges: unknown, _read: () => Promise<Liveness>, _labels: Record<string, string>) => unobserve,
);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, observeTogether }));
const { Worker } = await import('./worker.ts');

const never = () => new Promise<void>(() => undefined);
const times = { everyMs: 1000, withinMs: 5000, graceMs: 1000 };
const liveness = () => observeTogether.mock.calls.at(-1)![1]();
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
const log = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
const started: AWorker[] = [];

class Counter extends Worker {
  rounds = 0;
  /** The work of a round. Tests replace it. */
  work: () => Promise<number | void> = async () => undefined;

  protected async round(): Promise<number | void> {
    this.rounds += 1;
    return this.work();
  }

  override rest(ms: number): void {
    super.rest(ms);
  }
}

function start(work?: Counter['work'], of: WorkerTimes = times): Counter {
  const worker = new Counter(of);
  if (work) worker.work = work;
  worker.onApplicationBootstrap();
  started.push(worker);
  return worker;
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
});
afterEach(async () => {
  const stopped = Promise.all(started.splice(0).map((worker) => worker.beforeApplicationShutdown()));
  await pass(20_000);
  await stopped;
  jest.useRealTimers();
});

test('the liveness of a worker is exported under its name until it stops', async () => {
  const worker = start();
  expect(observeTogether.mock.calls[0]![2]).toEqual({ 'stoa.worker.name': 'Counter' });
  await worker.beforeApplicationShutdown();
  expect(unobserve).toHaveBeenCalledTimes(1);
});

test('a worker is overdue once two pauses and the longest time of a round are over', async () => {
  const worker = start(never);
  await pass(6000);
  expect(worker.rounds).toBe(1);
  worker.work = () => Promise.reject(new Error('No.'));
  await pass(2000);
  expect(await liveness()).toEqual({ age: 8, overdue: 0 });
  // A failing round does not update the time of the last success.
  await pass(6000);
  expect(await liveness()).toEqual({ age: 14, overdue: 6 });
  worker.work = async () => undefined;
  await pass(1000);
  expect(await liveness()).toEqual({ age: 0, overdue: 0 });
});

test('a worker woken during a round starts another one', async () => {
  const ends: (() => void)[] = [];
  const worker = start(() => new Promise<void>((resolve) => ends.push(resolve)));
  await pass(0);
  worker.wake();
  worker.wake();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await pass(1);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await pass(999);
  expect(ends).toHaveLength(2);
  await pass(1);
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await worker.beforeApplicationShutdown();
  await pass(5000);
  expect(ends).toHaveLength(3);
});

test('a round starts when the last one requested it, at the latest after the longest pause', async () => {
  const worker = start(async () => 300);
  await pass(299);
  expect(worker.rounds).toBe(1);
  await pass(1);
  expect(worker.rounds).toBe(2);
  worker.work = async () => 60_000;
  await pass(300);
  expect(worker.rounds).toBe(3);
  await pass(1000);
  expect(worker.rounds).toBe(4);
});

test('a resting worker cannot be woken before its rest ends', async () => {
  const worker = start();
  worker.work = async () => worker.rest(500);
  await pass(1000);
  expect(worker.rounds).toBe(2);
  worker.wake();
  await pass(499);
  expect(worker.rounds).toBe(2);
  await pass(1);
  expect(worker.rounds).toBe(3);
});

test('the pause after a failed round doubles, up to the longest', async () => {
  const worker = start(() => Promise.reject(new Error('No.')), { ...times, retryMs: 100 });
  const at: number[] = [];
  for (let ms = 0; ms < 4000; ms += 100) {
    const before = worker.rounds;
    await pass(100);
    if (worker.rounds > before) at.push(ms + 100);
  }
  expect(at).toEqual([100, 300, 700, 1500, 2500, 3500]);
});

test('a lasting failure is logged once, and so is its end', async () => {
  const worker = start(() => Promise.reject(new Error('No.')));
  await pass(3000);
  worker.work = () => Promise.reject(new Error('Another.'));
  await pass(2000);
  worker.work = async () => undefined;
  await pass(2000);
  expect(warn.mock.calls).toEqual([
    ['a round failed, trying again later: Error: No.'],
    ['a round failed, trying again later: Error: Another.'],
  ]);
  expect(log.mock.calls).toEqual([['a round succeeded again']]);
});
