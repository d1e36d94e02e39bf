import { act, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { RequireUser } from '../../auth/require-user.tsx';
import { beginSession, dropSession } from '../../auth/session.ts';
import { fakeApi, renderAt } from '../../testing.tsx';
import RedirectToSignInPage from './redirect-to-sign-in-page.tsx';

afterEach(() => {
  act(() => dropSession());
  queryClient.clear();
});

async function openRoom() {
  jest.spyOn(console, 'error').mockReturnValue();
  fakeApi(() => Response.json({ displayName: 'Ada' }));
  beginSession('ada');
  renderAt(
    '/dashboard',
    <Routes>
      <Route element={<RequireUser refused="refused" waiting="waiting" />}>
        <Route path="/dashboard" element={<h1>Dashboard</h1>} />
      </Route>
      <Route path="/login" element={<RedirectToSignInPage to="login" />} />
    </Routes>,
  );
  await screen.findByRole('heading', { name: 'Dashboard' });
}

const explained = () => screen.queryByRole('heading', { name: 'You are logged out' });

test('a log-out in another tab is explained before anybody is asked to log in', async () => {
  await openRoom();
  act(() => dropSession(true));
  expect(explained()).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Log In Again' }).click());
  expect(explained()).toBeNull();
  expect(await screen.findByText(/Taking you to log in|An error occurred/)).toBeTruthy();
});

test('who has not been here is taken to the log-in at once', async () => {
  await openRoom();
  act(() => dropSession());
  expect(explained()).toBeNull();
  expect(screen.getByText('Taking you to log in...')).toBeTruthy();
});
