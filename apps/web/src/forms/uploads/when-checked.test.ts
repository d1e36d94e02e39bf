import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ApiError } from '../../api/http.ts';
import { whenChecked } from './when-checked.ts';

const late = () => new ApiError('timeout', 'The check of this upload takes longer than usual.');
const signal = new AbortController().signal;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a check that takes longer than a call is polled until it has ended', async () => {
  const ask = jest.fn<() => Promise<string>>();
  ask.mockRejectedValueOnce(late()).mockRejectedValueOnce(late()).mockResolvedValue('ready');
  const checked = whenChecked(ask, signal);
  await jest.advanceTimersByTimeAsync(5000);
  expect(await checked).toBe('ready');
  expect(ask).toHaveBeenCalledTimes(3);
});

test('polling a check that never ends times out', async () => {
  const failure = whenChecked(() => Promise.reject(late()), signal).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(120_000);
  expect(await failure).toMatchObject({ reason: 'timeout' });
});

test('a refusal appears immediately', async () => {
  const ask = jest.fn(() => Promise.reject(new ApiError('unsupported_picture', 'Damaged.')));
  await expect(whenChecked(ask, signal)).rejects.toMatchObject({ reason: 'unsupported_picture' });
  expect(ask).toHaveBeenCalledTimes(1);
});

test('polling stops after the upload is cancelled', async () => {
  const cancelled = new AbortController();
  const ask = jest.fn(() => Promise.reject(late()));
  const failure = whenChecked(ask, cancelled.signal).catch((error: unknown) => error);
  cancelled.abort();
  await jest.advanceTimersByTimeAsync(5000);
  expect(await failure).toMatchObject({ name: 'AbortError' });
  expect(ask).toHaveBeenCalledTimes(1);
});
