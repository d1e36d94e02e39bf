import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import DashboardPage from './dashboard-page.tsx';

beforeEach(() => queryClient.clear());

const at = '2026-11-20T10:00:00.000Z';
const link = { id: 'x', kind: 'link', label: 'My letters', url: 'https://gone.example/', title: '' };
const dead = { ...link, offeringId: null, finding: 'gone', since: at, lookedAt: at, isQueued: false };

/** Shows the dashboard of a creator with an unproved address and a dead link, whose read waits for `ready`. */
function show(ready?: Promise<void>): void {
  fakeApi(async ({ path }) => {
    if (path === '/api/me') return Response.json(makeCreator({ emailVerified: false }));
    if (path === '/api/me/numbers') return new Promise(() => {});
    if (path !== '/api/me/link-health') return Response.json({ items: [], pinnedId: null, version: 1 });
    await ready;
    return Response.json({ items: [dead] });
  });
  renderAt('/dashboard', <DashboardPage offerings={<h2>Offerings</h2>} />);
}

const names = ['Prove your address', 'Links that no longer work', 'Offerings'];
const order = () =>
  screen
    .getAllByRole('heading', { level: 2 })
    .flatMap(({ textContent }) => names.filter((name) => name === textContent));

test('notices that are known in time come first', async () => {
  show();
  await screen.findByRole('heading', { name: 'Offerings' });
  expect(order().toSorted()).toEqual(names.toSorted());
  expect(order().at(-1)).toBe('Offerings');
});

test('a notice that comes late is below, so that nothing moves', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  show(promise);
  await screen.findByRole('heading', { name: 'Offerings' }, { timeout: 5000 });
  expect(order()).toEqual(['Prove your address', 'Offerings']);
  resolve();
  await screen.findByRole('heading', { name: 'Links that no longer work' });
  expect(order()).toEqual(['Prove your address', 'Offerings', 'Links that no longer work']);
});
