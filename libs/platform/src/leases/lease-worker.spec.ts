import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LeaseWorker, type LeaseWorkerOptions } from './lease-worker.ts';
import type { LeasedRow, LeasedRows } from './leases.ts';

const options = { task: 'write', row: 'letter', leaseMs: 8000 };
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
const letter = (id: string, attempts = 1): LeasedRow => ({ id, attempts, leasedUntil: new Date(0) });
let due: LeasedRow[];
let nextMs: number | null;
const take = jest.fn(async (_leaseMs: number) => due.shift() ?? null);
const putOff = jest.fn<LeasedRows<LeasedRow>['putOff']>();
const work = jest.fn<(row: LeasedRow, signal: AbortSignal) => Promise<void>>();
const complete = jest.fn<(row: LeasedRow) => Promise<void>>();
const giveUp = jest.fn<(row: LeasedRow) => Promise<void>>();

class Writer extends LeaseWorker<LeasedRow> {
  restMs: number | undefined;

  constructor(more: Partial<LeaseWorkerOptions> = {}) {
    super({ table: 'letter', nextDueMs: async () => nextMs, take, putOff }, { ...options, ...more });
  }
  protected work = work;
  protected override complete = complete;
  protected override giveUp = giveUp;
  protected override async failed(row: LeasedRow, error: unknown): Promise<number | void> {
    await super.failed(row, error);
    return this.restMs;
  }
}
let writer: Writer;

function start(...rows: LeasedRow[]): void {
  due.push(...rows);
  writer.onApplicationBootstrap();
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
const worked = () => work.mock.calls.map(([{ id }]) => id);

beforeEach(() => {
  jest.useFakeTimers();
  jest.clearAllMocks();
  [due, nextMs] = [[], null];
  for (const mock of [work, complete, giveUp]) mock.mockReset().mockResolvedValue();
  putOff.mockReset().mockImplementation(async ({ leasedUntil }) => new Date(leasedUntil.getTime() + 1));
  writer = new Writer();
});
afterEach(async () => {
  const stopped = writer.beforeApplicationShutdown();
  await pass(20_000);
  await stopped;
  jest.useRealTimers();
});

test('a failing row is retried with growing pauses and blocks no others', async () => {
  work.mockRejectedValueOnce(new Error('No.')).mockRejectedValueOnce(new Error('No.'));
  start(letter('a', 1), letter('b', 4), letter('c', 1));
  await pass(0);
  expect(worked()).toEqual(['a', 'b', 'c']);
  expect(putOff.mock.calls.map(([{ id }, ms]) => [id, ms])).toEqual([
    ['a', 5000],
    ['b', 40_000],
  ]);
  expect(complete.mock.calls.map(([{ id }]) => id)).toEqual(['c']);
  expect(warn.mock.calls[0]).toEqual(['letter a waits, attempt 1: Error: No.']);
});

test('a row is given up after its last attempt', async () => {
  writer = new Writer({ mostAttempts: 3 });
  work.mockRejectedValue(new Error('No.'));
  start(letter('a', 2), letter('b', 3));
  await pass(0);
  expect(putOff.mock.calls.map(([{ id }]) => id)).toEqual(['a']);
  expect(giveUp.mock.calls.map(([{ id }]) => id)).toEqual(['b']);
});

test('the worker sleeps until the next row is due, and at most for a minute', async () => {
  nextMs = 4000;
  start();
  await pass(3999);
  expect(take).toHaveBeenCalledTimes(1);
  nextMs = null;
  await pass(1);
  expect(take).toHaveBeenCalledTimes(2);
  await pass(29_999);
  expect(take).toHaveBeenCalledTimes(2);
  await pass(30_001);
  expect(take).toHaveBeenCalledTimes(3);
});

test('a lease is renewed while the work lasts, and not afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  work.mockReturnValueOnce(promise);
  start(letter('a'));
  await pass(5000);
  expect(putOff.mock.calls).toEqual([
    [{ id: 'a', leasedUntil: new Date(0) }, 8000],
    [{ id: 'a', leasedUntil: new Date(1) }, 8000],
  ]);
  resolve();
  await pass(8000);
  expect(putOff).toHaveBeenCalledTimes(2);
  expect(complete).toHaveBeenCalledTimes(1);
});

test('work whose lease is lost is aborted', async () => {
  work.mockImplementationOnce(
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  putOff.mockResolvedValue(null);
  start(letter('a'));
  await pass(2000);
  expect(warn.mock.calls).toEqual([['letter a waits, attempt 1: Error: the lease of a was lost']]);
  expect(complete).not.toHaveBeenCalled();
});

test('a row interrupted by a stop is due immediately for another replica', async () => {
  work.mockImplementationOnce(
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  start(letter('a'), letter('b'));
  await pass(0);
  await writer.beforeApplicationShutdown();
  expect(putOff.mock.calls.map(([{ id }, ms]) => [id, ms])).toEqual([['a', 0]]);
  expect(worked()).toEqual(['a']);
});

test('completed but unrecorded work is recorded before the next row, and not repeated', async () => {
  complete.mockRejectedValueOnce(new Error('no database'));
  start(letter('a'), letter('b'));
  await pass(0);
  expect([worked(), due.length]).toEqual([['a'], 1]);
  await pass(1000);
  expect(worked()).toEqual(['a', 'b']);
  expect(complete.mock.calls.map(([{ id }]) => id)).toEqual(['a', 'a', 'b']);
});

test('after a failure of all rows the worker pauses, even when it is woken', async () => {
  writer.restMs = 3000;
  work.mockRejectedValueOnce(new Error('No server.'));
  start(letter('a'), letter('b'));
  await pass(0);
  writer.wake();
  await pass(2999);
  expect(worked()).toEqual(['a']);
  await pass(1);
  expect(worked()).toEqual(['a', 'b']);
});
