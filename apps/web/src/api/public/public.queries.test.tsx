import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { makePublicCreator } from '../../testing/creators.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { render } from '../../testing/render.tsx';
import { creatorQuery, useCreators } from './creator.queries.ts';
import { get } from '../http.ts';
import { forgetPublicAnswers, prefetch, storeAnswers, useRead } from './public.queries.ts';
import { queryClient } from '../query-client.ts';

let answer: () => Response;
let asked: { path: string }[];
beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(console, 'error').mockReturnValue();
  queryClient.clear();
  asked = fakeApi(() => answer());
});
afterEach(() => void jest.useRealTimers());

const unreachable = () => {
  throw new TypeError('Failed to fetch');
};

const creator = (displayName: string, headers = {}) =>
  Response.json(makePublicCreator({ displayName }), { headers });

function Shown({ name = 'ada' }: { name?: string }) {
  const { data, error, reload } = useRead(creatorQuery(name));
  return <button onClick={reload}>{data?.displayName ?? (error ? 'failed' : 'loading')}</button>;
}

// The query client reports a reconnect only after a disconnect.
const reconnect = () =>
  act(async () => {
    dispatchEvent(new Event('offline'));
    dispatchEvent(new Event('online'));
    await jest.advanceTimersByTimeAsync(1);
  });
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

test('a page without a network recovers once the network returns', async () => {
  answer = unreachable;
  render(<Shown />);
  await pass(700);
  expect(screen.getByText('failed')).toBeTruthy();
  answer = () => creator('here');
  await reconnect();
  expect(screen.getByText('here')).toBeTruthy();
});

test('a page whose server is down retries with growing pauses and keeps its text', async () => {
  answer = () => problem(503, 'unavailable');
  render(<Shown />);
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
  answer = () => creator('here');
  await pass(8_000);
  expect(screen.getByText('here')).toBeTruthy();
});

test('permanent failures and queries that no page shows are not retried', async () => {
  answer = () => problem(404, 'not_found');
  const { unmount } = render(<Shown />);
  await pass(700);
  const times = asked.length;
  await reconnect();
  await pass(600_000);
  expect(asked.length).toBe(times);
  unmount();
  answer = unreachable;
  const left = render(<Shown name="left" />);
  await pass(700);
  left.unmount();
  const before = asked.length;
  await reconnect();
  await pass(600_000);
  expect(asked.length).toBe(before);
});

test('a list with several pages keeps them when the next page fails', async () => {
  const Pages = () => {
    const { data, loadMore } = useCreators({ search: '', niche: undefined });
    return <button onClick={loadMore}>{data?.items.map(({ username }) => username).join()}</button>;
  };
  const page = (username: string, nextCursor: string | null) =>
    Response.json({ items: [{ ...makePublicCreator({ username }), bioPreview: '' }], nextCursor, total: 2 });
  answer = () => page('a', 'b');
  render(<Pages />);
  await pass(1);
  answer = unreachable;
  act(() => screen.getByRole('button').click());
  await pass(700);
  const before = asked.length;
  await reconnect();
  await pass(60_000);
  expect(asked.length).toBe(before);
  expect(screen.getByRole('button').textContent).toBe('a');
  answer = () => page('c', null);
  act(() => screen.getByRole('button').click());
  await pass(1);
  expect(screen.getByRole('button').textContent).toBe('a,c');
});

test('a manual retry shows the loading state, and an automatic one does not', async () => {
  answer = () => problem(503, 'unavailable');
  render(<Shown />);
  await pass(700);
  const states = new Set<string | null>();
  const observer = new MutationObserver(() => states.add(screen.getByRole('button').textContent));
  observer.observe(document.body, { subtree: true, characterData: true, childList: true });
  await pass(6_000);
  expect([...states]).toEqual([]);
  act(() => screen.getByRole('button').click());
  await pass(1);
  expect(screen.getByText('loading')).toBeTruthy();
  await pass(700);
  observer.disconnect();
  expect(screen.getByText('failed')).toBeTruthy();
});

test.each([
  ['fresh page is used', false, 0],
  ['stale page is shown and requested once more', true, 1],
])('an answer embedded in a %s', async (_, isStale, requests) => {
  answer = () => creator('now');
  storeAnswers(queryClient, { '/api/creators/ada': makePublicCreator({ displayName: 'then' }) }, isStale);
  render(<Shown />);
  expect(screen.getByText('then')).toBeTruthy();
  await pass(1);
  expect(asked).toHaveLength(requests);
  expect(screen.getByText(requests ? 'now' : 'then')).toBeTruthy();
});

test.each([
  ['fresh', {}, 1],
  ['revalidated', { age: '0', 'server-timing': 'age;dur=0' }, 1],
  ['stale', { age: '1', 'server-timing': 'age;dur=40' }, 2],
  ['fresh from a shared cache', { age: '20' }, 1],
  ['revalidated from a shared cache', { age: '20', 'server-timing': 'cdn-age;dur=20, age;dur=0' }, 1],
  ['stale from a shared cache', { age: '20', 'server-timing': 'cdn;desc=HIT, age;dur=40' }, 2],
])(
  'for two pages, an answer that arrives %s is requested as often as needed',
  async (_, headers, requests) => {
    answer = () => creator(`answer ${asked.length}`, headers);
    const { unmount } = render(<Shown />);
    await pass(1);
    unmount();
    render(<Shown />);
    await pass(1);
    expect(screen.getByText(`answer ${requests}`)).toBeTruthy();
    expect(asked).toHaveLength(requests);
  },
);

test('going back to a page shows the cached answer', async () => {
  answer = () => creator('before');
  const { unmount } = render(<Shown />);
  await pass(1);
  unmount();
  await pass(30 * 60_000);
  answer = () => creator('after');
  render(<Shown />);
  expect(screen.getByText('before')).toBeTruthy();
  await pass(1);
  expect(screen.getByText('after')).toBeTruthy();
});

test('a write removes visited and prefetched answers from the cache', async () => {
  answer = () => creator('before');
  const { unmount } = render(<Shown />);
  await pass(1);
  unmount();
  await prefetch(creatorQuery('kofi'));
  forgetPublicAnswers();
  answer = () => creator('after');
  render(<Shown />);
  render(<Shown name="kofi" />);
  expect(screen.getAllByText('loading')).toHaveLength(2);
  await pass(1);
  expect(screen.getAllByText('after')).toHaveLength(2);
});

function Room() {
  const { data, isError } = useQuery({
    queryKey: ['room'],
    queryFn: ({ signal }) => get<{ text: string }>('/api/room', { signal }),
  });
  return <p>{data?.text ?? (isError ? 'failed' : 'loading')}</p>;
}

test('a signed-in page whose server is down retries with growing pauses until it answers', async () => {
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

test('a signed-in page recovers with the network, and is not retried after a refusal', async () => {
  queryClient.clear();
  answer = unreachable;
  const { unmount } = render(<Room />);
  await pass(700);
  expect(screen.getByText('failed')).toBeTruthy();
  answer = () => Response.json({ text: 'here' });
  await reconnect();
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
