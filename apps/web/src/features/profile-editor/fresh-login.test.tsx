import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { fakeApi, makeCreator, problem, renderAt } from '../../testing.tsx';
import { ProfileEditor } from './profile-editor.tsx';

const paygates = [{ name: 'Tips', url: 'https://tips.example.com/' }];
const creator = makeCreator({ username: 'ama', displayName: 'Ama', contactBy: 'form', paygates });
const needed = { field: 'paygates.0.url', message: 'Log in again to change where payments go.' };

async function saveAnotherHost() {
  fakeApi(() => problem(403, 'fresh_login_required', [needed]));
  renderAt('/dashboard/edit-profile', <ProfileEditor creator={creator} />);
  const address = screen.getByLabelText<HTMLInputElement>('Address of payment link 1');
  await userEvent.clear(address);
  await userEvent.type(address, 'https://elsewhere.example.net/');
  await userEvent.click(screen.getByRole('button', { name: 'Save Profile' }));
  const dialog = await screen.findByRole('alertdialog', {
    name: 'Log in again to change where payments go',
  });
  return { address, dialog };
}

test('a save that takes a fresh log-in asks for it and keeps what was typed', async () => {
  const { address, dialog } = await saveAnotherHost();
  await userEvent.click(screen.getByRole('button', { name: 'Not Now' }));
  expect(dialog.isConnected).toBe(false);
  expect(address.value).toBe('https://elsewhere.example.net/');
  expect(address.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText(needed.message)).not.toEqual([]);
});

test('a log-in page that cannot be reached is said, and the form stays', async () => {
  const { address } = await saveAnotherHost();
  fakeApi(() => Response.error());
  await userEvent.click(screen.getByRole('button', { name: 'Log In Again' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.getByText(/An error occurred\. Please try again later\./)).toBeTruthy();
  expect(address.value).toBe('https://elsewhere.example.net/');
});
