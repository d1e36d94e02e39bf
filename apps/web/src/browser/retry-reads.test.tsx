import { useQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { get } from '../api/http.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetResources, usePages, useResource } from '../api/resource.ts';
import { fakeApi, problem } from '../testing.tsx';
import { keepRetrying } from './retry-reads.ts';

keepRetrying();

let answer: () => Response;
let asked: { path: string }[];
beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockReturnValue();
  forgetResources();
  asked = fakeApi(() => answer());
});
afterEach(() => void jest.useRealTimers());

const unreachable = () => {
  throw new TypeError('Failed to fetch');
};

function Shown({ name }: { name: string }) {
  const { data, error } = useResource<{ text: string }>(name, (signal) => get(`/api/${name}`, { signal }));
  return <p>{data?.text ?? (error ? 'failed' : 'loading')}</p>;
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

test('a page without a network recovers once that is back', async () => {
  answer = unreachable;
  render(<Shown name="online" />);
  await pass(700);
  expect(screen.getByText('failed')).toBeTruthy();
  answer = () => Response.json({ text: 'here' });
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(1);
  expect(screen.getByText('here')).toBeTruthy();
});

test('a page whose server is away is retried after growing pauses, and its words stay meanwhile', async () => {
  answer = () => problem(503, 'unavailable');
  render(<Shown name="backoff" />);
  await pass(700);
  const first = asked.length;
  await pass(3_800);
  expect(asked.length).toBe(first);
  await pass(900);
  expect(asked.length).toBeGreaterThan(first);
  expect(screen.getByText('failed')).toBeTruthy();
  const second = asked.length;
  await pass(10_000);
  expect(asked.length).toBe(second);
  answer = () => Response.json({ text: 'here' });
  await pass(8_000);
  expect(screen.getByText('here')).toBeTruthy();
});

test('what is refused for good, and what no page shows, is not asked for again', async () => {
  answer = () => problem(404, 'not_found');
  const { unmount } = render(<Shown name="refused" />);
  await pass(700);
  const times = asked.length;
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(600_000);
  expect(asked.length).toBe(times);
  unmount();
  answer = unreachable;
  const left = render(<Shown name="left" />);
  await pass(700);
  left.unmount();
  const before = asked.length;
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(600_000);
  expect(asked.length).toBe(before);
});

test('a list that has grown keeps what it has', async () => {
  const Pages = () => {
    const { data, loadMore } = usePages<string>('list', (cursor, signal) =>
      get(`/api/list`, { query: { cursor }, signal }),
    );
    return <button onClick={loadMore}>{data?.items.join()}</button>;
  };
  answer = () => Response.json({ items: ['a'], nextCursor: 'b', total: 2 });
  render(<Pages />);
  await pass(1);
  answer = unreachable;
  act(() => screen.getByRole('button').click());
  await pass(700);
  const before = asked.length;
  await act(async () => void dispatchEvent(new Event('online')));
  await pass(60_000);
  expect(asked.length).toBe(before);
  expect(screen.getByRole('button').textContent).toBe('a');
});

function Room() {
  const { data, isError } = useQuery(
    { queryKey: ['room'], queryFn: ({ signal }) => get<{ text: string }>('/api/room', { signal }) },
    queryClient,
  );
  return <p>{data?.text ?? (isError ? 'failed' : 'loading')}</p>;
}

test('a room whose server is away is retried after growing pauses, until it answers', async () => {
  queryClient.clear();
  answer = () => problem(503, 'unavailable');
  render(<Room />);
  await pass(700);
  expect(screen.getByText('failed')).toBeTruthy();
  const first = asked.length;
  await pass(3_000);
  expect(asked.length).toBe(first);
  await pass(2_000);
  const second = asked.length;
  expect(second).toBeGreaterThan(first);
  await pass(10_000);
  expect(asked.length).toBe(second);
  answer = () => Response.json({ text: 'here' });
  await pass(8_000);
  expect(screen.getByText('here')).toBeTruthy();
  const last = asked.length;
  await pass(600_000);
  expect(asked.length).toBe(last);
});

test('a room without a network recovers once that is back, and one that is refused is not retried', async () => {
  queryClient.clear();
  answer = unreachable;
  const { unmount } = render(<Room />);
  await pass(700);
  expect(screen.getByText('failed')).toBeTruthy();
  answer = () => Response.json({ text: 'here' });
  // The client of the rooms hears of a network that is back only after one that was gone.
  await act(async () => {
    dispatchEvent(new Event('offline'));
    dispatchEvent(new Event('online'));
  });
  await pass(1);
  expect(screen.getByText('here')).toBeTruthy();
  unmount();

  queryClient.clear();
  answer = () => problem(404, 'not_found');
  render(<Room />);
  await pass(700);
  const first = asked.length;
  await pass(600_000);
  expect(asked.length).toBe(first);
});
