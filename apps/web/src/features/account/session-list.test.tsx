import type { AccountSession } from '@stoa/contracts';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem, renderAt } from '../../testing.tsx';
import { SessionList } from './session-list.tsx';

const session = (id: string, current = false): AccountSession => ({
  id,
  startedAt: `2026-11-20T0${id}:00:00.000Z`,
  lastAccessAt: '2026-11-21T10:00:00.000Z',
  ipAddress: '192.0.2.1',
  current,
});

let listed: AccountSession[];
beforeEach(() => {
  queryClient.clear();
  listed = [session('1', true), session('2'), session('3')];
});

const buttons = () => screen.findAllByRole('button', { name: /^Sign out the browser/ });

test('signing out a browser is announced and moves the focus to the list', async () => {
  fakeApi(({ method, path }) => {
    if (method === 'GET') return Response.json({ items: listed });
    listed = listed.filter(({ id }) => !path.endsWith(id));
    return new Response(null, { status: 204 });
  });
  renderAt('/dashboard/account', <SessionList />);
  const [first] = await buttons();
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  await userEvent.click(first!);
  await waitFor(() => expect(status.textContent).toMatch(/^The browser that signed in .* is signed out\.$/));
  expect(await buttons()).toHaveLength(1);
  const heading = screen.getByRole('heading', { name: 'Where You Are Signed In' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('a browser that was signed out leaves the list, also when the list cannot be read again', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let reads = 0;
  fakeApi(({ method }) => {
    if (method !== 'GET') return new Response(null, { status: 204 });
    return (reads += 1) === 1 ? Response.json({ items: listed }) : problem(403, 'forbidden');
  });
  renderAt('/dashboard/account', <SessionList />);
  const [first] = await buttons();
  await userEvent.click(first!);
  await waitFor(async () => expect(await buttons()).toHaveLength(1));
});

test('the focus is not moved when it is elsewhere meanwhile', async () => {
  const answer = Promise.withResolvers<Response>();
  fakeApi(({ method }) => (method === 'GET' ? Response.json({ items: listed }) : answer.promise));
  renderAt('/dashboard/account', <SessionList />);
  const [first] = await buttons();
  await userEvent.click(first!);
  const everywhere = screen.getByRole('button', { name: 'Sign Out Everywhere' });
  everywhere.focus();
  answer.resolve(new Response(null, { status: 204 }));
  await waitFor(() => expect(screen.getByRole('status').textContent).not.toBe(''));
  expect(document.activeElement).toBe(everywhere);
});

test('a failed sign-out is announced, and the focus stays on its button', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  const answer = Promise.withResolvers<Response>();
  fakeApi(({ method }) => (method === 'GET' ? Response.json({ items: listed }) : answer.promise));
  renderAt('/dashboard/account', <SessionList />);
  const [first] = await buttons();
  await userEvent.click(first!);
  // As browsers do with a button that is disabled.
  first!.blur();
  answer.resolve(problem(503, 'unavailable'));
  expect(await screen.findByText('The sign-out failed. Please try again.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(screen.getByRole('status').textContent).toBe('');
});
