import type { AccountSession } from '@stoa/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { SessionList } from './session-list.tsx';

const session = (id: string, current = false, browser?: string): AccountSession => ({
  id,
  startedAt: `2026-11-20T0${id}:00:00.000Z`,
  lastAccessAt: '2026-11-21T10:00:00.000Z',
  ipAddress: '192.0.2.1',
  browser,
  current,
});

let listed: AccountSession[];
beforeEach(() => {
  queryClient.clear();
  listed = [session('1', true, 'Chrome on Windows'), session('2', false, 'Firefox on Linux'), session('3')];
});

function show() {
  const shown = renderAt('/dashboard/account', <SessionList />);
  fireEvent.click(screen.getByRole('button', { name: 'Where You Are Signed In', expanded: false }));
  return shown;
}

const buttons = () => screen.findAllByRole('button', { name: /^Sign out .*, signed in / });

test("each session shows its browser's name, and the current one is marked", async () => {
  fakeApi(() => Response.json({ items: listed }));
  show();
  const rows = await screen.findAllByRole('listitem');
  expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Chrome on Windows',
    'Firefox on Linux',
    'Unknown browser',
  ]);
  expect(rows.map((row) => within(row).queryByText('This browser') !== null)).toEqual([true, false, false]);
  const names = (await buttons()).map((button) => button.getAttribute('aria-label'));
  expect(names).toEqual([
    expect.stringMatching(/^Sign out Firefox on Linux, signed in /),
    expect.stringMatching(/^Sign out Unknown browser, signed in /),
  ]);
});

test('a session older than browser names gets its name', async () => {
  fakeApi(({ method }) => {
    if (method === 'POST') listed = [session('1', true, 'Safari on macOS')];
    return Response.json(method === 'POST' ? {} : { items: listed });
  });
  listed = [session('1', true)];
  show();
  expect(await screen.findByRole('heading', { name: 'Safari on macOS' })).toBeTruthy();
});

test('an unknown browser requests its name once, however often the list is read', async () => {
  const asked = fakeApi(({ method }) => Response.json(method === 'POST' ? {} : { items: listed }));
  listed = [session('1', true)];
  show();
  expect(await screen.findByRole('heading', { name: 'Unknown browser' })).toBeTruthy();
  await act(() => queryClient.refetchQueries());
  expect(asked.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'GET']);
});

test('a browser whose name cannot be read is listed without it', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(({ method }) =>
    method === 'POST' ? problem(503, 'unavailable') : Response.json({ items: listed }),
  );
  listed = [session('1', true), session('2', false, 'Firefox on Linux')];
  show();
  expect(await screen.findByRole('heading', { name: 'Unknown browser' })).toBeTruthy();
  expect(screen.getByText('This browser')).toBeTruthy();
});

test('signing out a browser is announced and moves the focus to the list', async () => {
  fakeApi(({ method, path }) => {
    if (method === 'GET') return Response.json({ items: listed });
    listed = listed.filter(({ id }) => !path.endsWith(id));
    return new Response(null, { status: 204 });
  });
  show();
  const [first] = await buttons();
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  await userEvent.click(first!);
  await waitFor(() =>
    expect(status.textContent).toMatch(/^Firefox on Linux, signed in .*, is signed out\.$/),
  );
  expect(await buttons()).toHaveLength(1);
  const heading = screen.getByRole('heading', { name: 'Where You Are Signed In' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
});

test('a signed-out browser leaves the list, even if the list cannot be read again', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let reads = 0;
  fakeApi(({ method }) => {
    if (method !== 'GET') return new Response(null, { status: 204 });
    return (reads += 1) === 1 ? Response.json({ items: listed }) : problem(403, 'forbidden');
  });
  show();
  const [first] = await buttons();
  await userEvent.click(first!);
  await waitFor(async () => expect(await buttons()).toHaveLength(1));
});

test('the focus stays if it is elsewhere', async () => {
  const answer = Promise.withResolvers<Response>();
  fakeApi(({ method }) => (method === 'GET' ? Response.json({ items: listed }) : answer.promise));
  show();
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
  show();
  const [first] = await buttons();
  await userEvent.click(first!);
  // A browser takes the focus from a button that becomes disabled.
  first!.blur();
  answer.resolve(problem(503, 'unavailable'));
  expect(await screen.findByText('The sign-out failed. Please try again.')).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(first));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('a list that cannot be read opens its row', async () => {
  fakeApi(() => problem(403, 'forbidden'));
  renderAt('/dashboard/account', <SessionList />);
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy();
});
