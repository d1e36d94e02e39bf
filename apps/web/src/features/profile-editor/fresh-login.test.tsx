import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
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

test('a save that needs a recent log-in asks for it and keeps the input', async () => {
  const { address, dialog } = await saveAnotherHost();
  await userEvent.click(screen.getByRole('button', { name: 'Not Now' }));
  expect(dialog.isConnected).toBe(false);
  expect(address.value).toBe('https://elsewhere.example.net/');
  expect(address.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getAllByText(needed.message)).not.toEqual([]);
});

test('an unreachable log-in page shows an error, and the form stays', async () => {
  const { address } = await saveAnotherHost();
  fakeApi(() => Response.error());
  await userEvent.click(screen.getByRole('button', { name: 'Log In Again' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(screen.getByText(/An error occurred\. Please try again later\./)).toBeTruthy();
  expect(address.value).toBe('https://elsewhere.example.net/');
});
