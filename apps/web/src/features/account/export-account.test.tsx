import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loadConfig } from '../../api/config.ts';
import { queryClient } from '../../api/query-client.ts';
import { FakeKeycloak } from '../../auth/fake-keycloak.ts';
import { restore } from '../../auth/sign-in.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { ExportAccount } from './export-account.tsx';

const renderClosed = (address = '/dashboard/account', isProved = true) =>
  renderAt(address, <ExportAccount email="ada@example.test" emailVerified={isProved} />);
const row = () => screen.getByRole('button', { name: 'Export Your Data' });

function show(...where: Parameters<typeof renderClosed>) {
  const shown = renderClosed(...where);
  if (row().getAttribute('aria-expanded') === 'false') fireEvent.click(row());
  return shown;
}

const answer = (state: string, url: string | null = null) =>
  Response.json({ state, url, expiresAt: url && '2026-11-24T12:00:00.000Z' });
const keycloak = new FakeKeycloak();
const button = () => screen.getByRole('button', { name: 'Export My Data' });

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => keycloak.uninstall());

/** Logs in recently enough to request an export. */
async function logIn(): Promise<void> {
  await keycloak.install(loadConfig);
  await restore();
}

test('an unconfirmed address gets no promise of a mail', () => {
  fakeApi(() => answer('none'));
  show('/dashboard/account', false);
  expect(screen.getByText(/It appears here when it is ready\./)).toBeTruthy();
  expect(screen.queryByText(/We write to/)).toBeNull();
});

test('shows where the mail goes and how long an export is available', () => {
  fakeApi(() => answer('none'));
  show();
  expect(screen.getByText(/We write to ada@example\.test when it is ready/)).toBeTruthy();
  expect(screen.getByText(/for 24 hours; then it is removed/)).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test('no second export can be requested while one is being made', async () => {
  fakeApi(() => answer('making'));
  show();
  await screen.findByText('Your export is being made. You may leave this page.');
  expect(button()).toHaveProperty('disabled', true);
});

test('a finished export can be downloaded, and the mail links to it', async () => {
  fakeApi(() => answer('ready', 'https://media.example.test/export.zip'));
  show('/dashboard/account?export');
  const link = await screen.findByRole('link', { name: 'Download Your Export' });
  expect(link.getAttribute('href')).toBe('https://media.example.test/export.zip');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Export Your Data' }));
});

test('a closed row announces the state of an export, and what failed', async () => {
  let state = 'making';
  fakeApi(() => answer(state));
  renderClosed();
  const region = (await screen.findByText(/^Your export is being made/)).closest('[role=status]');
  expect(screen.getAllByRole('status')).toContain(region);
  expect(row().getAttribute('aria-expanded')).toBe('false');
  state = 'failed';
  await act(() => queryClient.refetchQueries());
  const failure = await screen.findByText('Your last export could not be made. Please try again.');
  expect(screen.getByRole('alert').contains(failure)).toBe(true);
});

test('a failed export shows an error and can be requested again', async () => {
  fakeApi(() => answer('failed'));
  show();
  await screen.findByText('Your last export could not be made. Please try again.');
  expect(button()).toHaveProperty('disabled', false);
});

test('an export can be requested if its state cannot be read', () => {
  fakeApi(() => problem(503, 'unavailable'));
  show();
  expect(button()).toHaveProperty('disabled', false);
});

test('a double click exports once, and a failed request can be repeated', async () => {
  await logIn();
  const asked = fakeApi(({ method }) => {
    // The button is not disabled yet when the first request is sent.
    if (method === 'POST' && posts().length === 1) fireEvent.click(button());
    return method === 'POST' ? problem(503, 'unavailable') : answer('none');
  });
  const posts = () => asked.filter(({ method }) => method === 'POST');
  show();
  fireEvent.click(button());
  await screen.findByText('Your data could not be exported. Please try again.');
  expect(posts()).toHaveLength(1);
  await waitFor(() => expect(button()).toHaveProperty('disabled', false));
  fireEvent.click(button());
  await waitFor(() => expect(posts()).toHaveLength(2));
});

test('an export is requested even if the user leaves the page immediately', async () => {
  await logIn();
  const asked = fakeApi(() => answer('making'));
  const { unmount } = show();
  fireEvent.click(button());
  unmount();
  await waitFor(() => expect(asked.map(({ method }) => method)).toContain('POST'));
});
