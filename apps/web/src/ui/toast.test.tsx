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

/** Screen readers are told in a copy, which goes by itself. */
const shown = (text: string) =>
  screen.queryAllByText(text).filter((element) => element.closest('li') !== null).length;

test('what went wrong stays until it is dismissed, and what went well goes by itself', () => {
  render(
    <ToastProvider>
      <Announcer />
    </ToastProvider>,
  );
  act(() => screen.getByRole('button', { name: 'fail' }).click());
  act(() => screen.getByRole('button', { name: 'succeed' }).click());
  expect([shown('It failed.'), shown('It is done.')]).toEqual([1, 1]);
  act(() => jest.advanceTimersByTime(10_000));
  expect([shown('It failed.'), shown('It is done.')]).toEqual([1, 0]);
  act(() => jest.advanceTimersByTime(3_600_000));
  expect(shown('It failed.')).toBe(1);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  expect(shown('It failed.')).toBe(0);
});

test('a second success replaces the first', () => {
  render(
    <ToastProvider>
      <Announcer />
    </ToastProvider>,
  );
  for (let press = 0; press < 2; press += 1)
    act(() => screen.getByRole('button', { name: 'succeed' }).click());
  expect(shown('It is done.')).toBe(1);
});
