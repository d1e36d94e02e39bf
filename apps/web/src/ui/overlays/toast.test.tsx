import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ToastProvider, useToast } from './toast.tsx';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function Announcer() {
  const announce = useToast();
  return (
    <>
      <button onClick={() => announce('failure', 'It failed.')}>fail</button>
      <button onClick={() => announce('success', 'It is done.')}>succeed</button>
    </>
  );
}

/** Counts visible toasts. Radix adds a copy for screen readers, which it removes itself. */
const shown = (text: string) =>
  screen.queryAllByText(text).filter((element) => element.closest('li') !== null).length;

test('a failure stays until dismissed, and a success disappears by itself [web-106]', () => {
  render(
    <ToastProvider>
      <Announcer />
    </ToastProvider>,
  );
  act(() => screen.getByRole('button', { name: 'fail' }).click());
  act(() => screen.getByRole('button', { name: 'succeed' }).click());
  expect([shown('It failed.'), shown('It is done.')]).toEqual([0, 1]);
  act(() => jest.advanceTimersByTime(10_000));
  expect([shown('It failed.'), shown('It is done.')]).toEqual([1, 0]);
  act(() => jest.advanceTimersByTime(3_600_000));
  expect(shown('It failed.')).toBe(1);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  expect(shown('It failed.')).toBe(0);
});

test.each([
  ['succeed', 'succeed', [0, 1]],
  ['fail', 'succeed', [0, 1]],
  ['succeed', 'fail', [1, 0]],
  ['fail', 'fail', [1, 0]],
])('only the newest toast is shown: first %s, then %s', (first, second, counts) => {
  render(
    <ToastProvider>
      <Announcer />
    </ToastProvider>,
  );
  for (const name of [first, second]) act(() => screen.getByRole('button', { name }).click());
  expect([shown('It failed.'), shown('It is done.')]).toEqual(counts);
});
