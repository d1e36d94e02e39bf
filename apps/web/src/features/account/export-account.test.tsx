import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { loadConfig } from '../../api/config.ts';
import { queryClient } from '../../api/query-client.ts';
import { FakeKeycloak } from '../../auth/fake-keycloak.ts';
import { restore } from '../../auth/sign-in.ts';
import { fakeApi, problem, renderAt } from '../../testing.tsx';
import { ExportAccount } from './export-account.tsx';

const show = (address = '/dashboard/account', isProved = true) =>
  renderAt(address, <ExportAccount email="ada@example.test" emailVerified={isProved} />);
const answer = (state: string, url: string | null = null) =>
  Response.json({ state, url, expiresAt: url && '2026-11-24T12:00:00.000Z' });
const keycloak = new FakeKeycloak();
const button = () => screen.getByRole('button', { name: 'Export My Data' });

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => keycloak.uninstall());

/** A log-in a moment ago, by which an export may be asked for. */
async function logIn(): Promise<void> {
  await keycloak.install(loadConfig);
  await restore();
}

test('an address that is not proved is promised no mail', () => {
  fakeApi(() => answer('none'));
  show('/dashboard/account', false);
  expect(screen.getByText(/It appears here when it is ready\./)).toBeTruthy();
  expect(screen.queryByText(/We write to/)).toBeNull();
});

test('says where the mail goes and how long an export lies ready', () => {
  fakeApi(() => answer('none'));
  show();
  expect(screen.getByText(/We write to ada@example\.test when it is ready/)).toBeTruthy();
  expect(screen.getByText(/for 24 hours; then it is removed/)).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test('while one export is made, no other can be asked for', async () => {
  fakeApi(() => answer('making'));
  show();
  await screen.findByText('Your export is being made. You may leave this page.');
  expect(button()).toHaveProperty('disabled', true);
});

test('an export that is ready can be downloaded, and the mail leads to it', async () => {
  fakeApi(() => answer('ready', 'https://media.example.test/export.zip'));
  show('/dashboard/account?export');
  const link = await screen.findByRole('link', { name: 'Download Your Export' });
  expect(link.getAttribute('href')).toBe('https://media.example.test/export.zip');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Export Your Data' }));
});

test('an export that could not be made is said, and can be asked for again', async () => {
  fakeApi(() => answer('failed'));
  show();
  await screen.findByText('Your last export could not be made. Please try again.');
  expect(button()).toHaveProperty('disabled', false);
});

test('without word of an export one can be asked for', () => {
  fakeApi(() => problem(503, 'unavailable'));
  show();
  expect(button()).toHaveProperty('disabled', false);
});

test('a double click exports once, and after a failure it can be asked for again', async () => {
  await logIn();
  const asked = fakeApi(({ method }) => {
    // The button is not yet disabled when the first request leaves.
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

test('an export that was asked for is made although one leaves the page at once', async () => {
  await logIn();
  const asked = fakeApi(() => answer('making'));
  const { unmount } = show();
  fireEvent.click(button());
  unmount();
  await waitFor(() => expect(asked.map(({ method }) => method)).toContain('POST'));
});
