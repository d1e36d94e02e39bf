import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { lazyOptional } from '../ui/lazy-optional.tsx';
import { retryWithBackoff } from './retry-with-backoff.ts';

const load = jest.fn<() => Promise<() => string>>();
const hour = 3_600_000;

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockReturnValue();
  load.mockReset().mockRejectedValue(new Error('no network'));
});

afterEach(() => {
  jest.useRealTimers();
});

async function open(): Promise<void> {
  const Part = lazyOptional(() => retryWithBackoff(load));
  await act(async () => {
    render(<Part />);
  });
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

test('a failed import is retried after a pause', async () => {
  await open();
  expect(load).toHaveBeenCalledTimes(1);
  load.mockResolvedValue(() => 'The part');
  await pass(2_000);
  expect(screen.getByText('The part')).toBeTruthy();
  await pass(hour);
  expect(load).toHaveBeenCalledTimes(2);
});

test('offline, the import is retried once the network returns', async () => {
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await open();
  await pass(hour);
  expect(load).toHaveBeenCalledTimes(1);
  load.mockResolvedValue(() => 'The part');
  online.mockReturnValue(true);
  dispatchEvent(new Event('online'));
  await pass(0);
  expect(screen.getByText('The part')).toBeTruthy();
});

test('after the last retry the part is left out and the page works without it', async () => {
  await open();
  await pass(hour);
  const tries = load.mock.calls.length;
  expect(tries).toBeLessThanOrEqual(6);
  dispatchEvent(new Event('online'));
  await pass(hour);
  expect(load).toHaveBeenCalledTimes(tries);
  expect(document.body.textContent).toBe('');
});
