import { act, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { RequireUser } from '../../auth/require-user.tsx';
import { beginSession, dropSession } from '../../auth/session.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
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
      <Route path="/login" element={<RedirectToSignInPage />} />
    </Routes>,
  );
  await screen.findByRole('heading', { name: 'Dashboard' });
}

const explained = () => screen.queryByRole('heading', { name: 'You are logged out' });

test('a log-out in another tab is explained before the log-in [web-86]', async () => {
  await openRoom();
  act(() => dropSession(true));
  expect(explained()).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Log In Again' }).click());
  expect(explained()).toBeNull();
  expect(await screen.findByText(/Taking you to log in|An error occurred/)).toBeTruthy();
});

test('a new visitor is redirected to the log-in immediately', async () => {
  await openRoom();
  act(() => dropSession());
  expect(explained()).toBeNull();
  expect(screen.getByText('Taking you to log in...')).toBeTruthy();
});
