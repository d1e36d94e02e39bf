import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Rounds as SomeRounds, RoundTimes } from './rounds.ts';

const telemetry = await import('@stoa/telemetry');
const unobserve = jest.fn();
type Liveness = { age: number; overdue: number };
const observeTogether = jest.fn(
  (_gauges: unknown, _read: () => Promise<Liveness>, _labels: Record<string, string>) => unobserve,
);
jest.unstable_mockModule('@stoa/telemetry', () => ({ ...telemetry, observeTogether }));
const { Rounds } = await import('./rounds.ts');
const { WokenWorker } = await import('./woken-worker.ts');

const never = () => new Promise<void>(() => undefined);
const times = { everyMs: 1000, withinMs: 5000, graceMs: 1000 };
const liveness = () => observeTogether.mock.calls.at(-1)![1]();

function someRounds(of: RoundTimes = times): SomeRounds {
  const rounds = new Rounds('Counter', of);
  rounds.start();
  return rounds;
}

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
});
afterEach(() => void jest.useRealTimers());

test('the liveness of a worker is measured under its name, until it stops', async () => {
  const rounds = someRounds();
  expect(observeTogether.mock.calls[0]![2]).toEqual({ 'stoa.worker.name': 'Counter' });
  await rounds.stop();
  expect(unobserve).toHaveBeenCalledTimes(1);
});

test('a worker is overdue once two pauses and the longest time of a round are over', async () => {
  const rounds = someRounds();
  await jest.advanceTimersByTimeAsync(8000);
  expect(await liveness()).toEqual({ age: 8, overdue: 0 });
  const hanging = rounds.run(never).catch(String);
  await jest.advanceTimersByTimeAsync(6000);
  expect(await hanging).toContain('did not end within 6000 ms');
  // A round that fails is no sign of life.
  await rounds.run(() => Promise.reject(new Error('No.'))).catch(() => undefined);
  expect(await liveness()).toEqual({ age: 14, overdue: 6 });
  await rounds.run(async () => undefined);
  expect(await liveness()).toEqual({ age: 0, overdue: 0 });
});

test('a worker that is woken during a round does another one', async () => {
  const ends: (() => void)[] = [];
  const worker = new WokenWorker('Counter', times, () => new Promise((resolve) => ends.push(resolve)));
  worker.start();
  worker.wake();
  worker.wake();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await jest.advanceTimersByTimeAsync(1);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await jest.advanceTimersByTimeAsync(1);
  // The pause is over.
  await jest.advanceTimersByTimeAsync(1000);
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await worker.stop();
  await jest.advanceTimersByTimeAsync(5000);
  expect(ends).toHaveLength(3);
});
