import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { DeleteAccount } from './delete-account.tsx';

// The address after a recent log-in.
const confirming = '/dashboard/account?delete';
const show = (address = confirming, isProved = true) =>
  renderAt(address, <DeleteAccount email="ada@example.test" emailVerified={isProved} />);

const field = () => screen.getByRole('textbox', { name: /^Type “delete my account”/ });
const forGood = () => screen.getByRole('button', { name: 'Delete for Good' });

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

test('before the log-in no input appears, and the receipt is mentioned', () => {
  show('/dashboard/account');
  fireEvent.click(screen.getByRole('button', { name: 'Delete Your Account', expanded: false }));
  expect(screen.getByText(/we mail a receipt to ada@example\.test/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Delete My Account' })).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('an unconfirmed address gets no promise of a receipt', () => {
  show('/dashboard/account', false);
  expect(screen.getByText(/We forget ada@example\.test\. It gets no receipt/)).toBeTruthy();
  expect(screen.queryByText(/we mail a receipt/)).toBeNull();
});

test('a wrong phrase deletes nothing, and the right one is shown', async () => {
  const asked = fakeApi(() => new Response(null, { status: 202 }));
  show();
  expect(document.activeElement).toBe(field());
  await userEvent.type(field(), 'delete');
  await userEvent.click(forGood());
  expect(screen.getByText('Type “delete my account” to go on.')).toBeTruthy();
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field());
  expect(asked).toEqual([]);
});

test('a log-in that is no longer recent leads back to the start', async () => {
  const asked = fakeApi(() => problem(403, 'forbidden'));
  show();
  await userEvent.type(field(), ' Delete my account{enter}');
  await screen.findByText('Your log-in is no longer fresh. Log in again, then delete your account.');
  expect(asked).toMatchObject([
    { method: 'POST', path: '/api/account/deletion', body: { confirmation: 'delete my account' } },
  ]);
  expect(screen.getByRole('button', { name: 'Delete My Account' })).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
});

test('a double click deletes once', async () => {
  const asked = fakeApi(() => problem(503, 'unavailable'));
  show();
  await userEvent.type(field(), 'delete my account');
  fireEvent.click(forGood());
  fireEvent.click(forGood());
  await screen.findByText('Your account could not be deleted. Please try again.');
  expect(asked).toHaveLength(1);
  await waitFor(() => expect(forGood()).toHaveProperty('disabled', false));
  await userEvent.click(forGood());
  await waitFor(() => expect(asked).toHaveLength(2));
});

test('an outage shows an error and keeps the typed text', async () => {
  fakeApi(() => problem(503, 'unavailable'));
  show();
  await userEvent.type(field(), 'delete my account');
  await userEvent.click(forGood());
  await screen.findByText('Your account could not be deleted. Please try again.');
  await waitFor(() => expect(forGood()).toHaveProperty('disabled', false));
  expect(field()).toHaveProperty('value', 'delete my account');
});

test('cancelling leads back to the start', async () => {
  show();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  const again = screen.getByRole('button', { name: 'Delete My Account' });
  await waitFor(() => expect(document.activeElement).toBe(again));
});
