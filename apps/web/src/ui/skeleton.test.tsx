import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { renderToString } from 'react-dom/server';
import { LoadingText } from './skeleton.tsx';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('the live region of a loading text exists before its text', () => {
  render(<LoadingText>Loading offerings...</LoadingText>);
  const region = screen.getByRole('status');
  expect(region.textContent).toBe('');
  act(() => jest.advanceTimersByTime(200));
  expect(screen.getByRole('status')).toBe(region);
  expect(region.textContent).toBe('Loading offerings...');
});

test('a server-rendered page contains the text, for visitors without scripts', () => {
  expect(renderToString(<LoadingText>Loading offerings...</LoadingText>)).toContain('Loading offerings...');
});
