import { render, screen } from '@testing-library/react';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { fakeApi } from '../testing.tsx';
import { get } from './http.ts';
import { forgetResources, prefetchAnswer, primeResources, useResource } from './resource.ts';

beforeEach(forgetResources);

test('an entry in use is never evicted from the cache', async () => {
  const read = jest.fn((what: string) => Promise.resolve(what));
  function Pages({ beside }: { beside: number }) {
    const kept = useResource('kept', () => read('kept'));
    const other = useResource(`other ${beside}`, () => read(`other ${beside}`));
    return (
      <p>
        {kept.data ?? 'nothing'} and {other.data ?? 'nothing'}
      </p>
    );
  }
  const { rerender } = render(<Pages beside={0} />);
  for (let beside = 0; beside < 70; beside += 1) {
    rerender(<Pages beside={beside} />);
    await screen.findByText(`kept and other ${beside}`);
  }
  expect(read.mock.calls.filter(([what]) => what === 'kept')).toHaveLength(1);
});

test('what is on screen, or just was, outlives many prefetched answers', async () => {
  const asked = fakeApi(({ path }) => Response.json({ name: path }));
  const { unmount } = render(<Shown />);
  await screen.findByText('/api/x');
  const prefetch = async (from: number, to: number) => {
    for (let other = from; other < to; other += 1) await prefetchAnswer(`/api/other/${other}`);
  };
  await prefetch(0, 70);
  unmount();
  await prefetch(70, 100);
  render(<Shown />);
  expect(screen.getByText('/api/x')).toBeTruthy();
  expect(asked.filter(({ path }) => path === '/api/x')).toHaveLength(1);
});

function Shown() {
  const { data } = useResource<{ name: string }>('/api/x', (signal) => get('/api/x', { signal }));
  return <p>{data?.name}</p>;
}

test.each([
  ['as new as the page', 0, 0],
  ['as old as a page that was kept while a service was away', 60_000, 1],
])('what came with a page is %s', async (_, ageMs, requests) => {
  const asked = fakeApi(() => Response.json({ name: 'now' }));
  primeResources({ '/api/x': { name: 'then' } }, ageMs);
  render(<Shown />);
  expect(screen.getByText('then')).toBeTruthy();
  if (requests > 0) await screen.findByText('now');
  expect(asked).toHaveLength(requests);
});

test.each([
  ['0', 1],
  ['60', 2],
])(
  'an answer that was %s seconds old when it came is asked for %s times by two pages',
  async (age, requests) => {
    const asked = fakeApi(() => Response.json({ name: `answer ${asked.length}` }, { headers: { age } }));
    const { unmount } = render(<Shown />);
    await screen.findByText('answer 1');
    unmount();
    render(<Shown />);
    await screen.findByText(`answer ${requests}`);
    expect(asked).toHaveLength(requests);
  },
);
