import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, makeCreator } from '../../testing.tsx';
import { ToastProvider } from '../../ui/toast.tsx';
import { SavedToast } from './saved-toast.tsx';

beforeEach(() => queryClient.clear());

function arrive(state: object | null, isPublic = true) {
  fakeApi(() => Response.json(makeCreator({ isPublic })));
  const page = (
    <ToastProvider>
      <SavedToast />
    </ToastProvider>
  );
  const router = createMemoryRouter([{ path: '*', element: page }], {
    initialEntries: [{ pathname: '/dashboard', state }],
  });
  render(<RouterProvider router={router} />);
  return router;
}

test('a saved profile is told with where it is seen and its address to copy, once', async () => {
  const copied = jest.fn<(text: string) => Promise<void>>().mockResolvedValue();
  const router = arrive({ savedProfile: true });
  const view = await screen.findByRole('link', { name: 'View' });
  expect(view.getAttribute('href')).toBe('/profile/ada');
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
  screen.getByRole('button', { name: 'Copy link' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(copied).toHaveBeenCalledWith('http://localhost:8080/profile/ada');
  // Back and forth, or a reload, it is no news.
  await waitFor(() => expect(router.state.location.state).toBeNull());
  expect(
    screen.getAllByText('Your profile is saved.', { ignore: '[role=status], [role=status] *' }),
  ).toHaveLength(1);
});

test('one that nobody sees yet has no link to pass on', async () => {
  arrive({ savedProfile: true }, false);
  await screen.findAllByText('Your profile is saved. Nobody else sees it yet.');
  expect(screen.queryByRole('link', { name: 'View' })).toBeNull();
});

test('without a save there is nothing to tell', async () => {
  arrive(null);
  await waitFor(() => expect(screen.queryByText(/saved/)).toBeNull());
});
