import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { render } from '../../testing/render.tsx';
import { ToastProvider } from '../../ui/overlays/toast.tsx';
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

test('a saved profile shows a link and its address to copy, once [web-23]', async () => {
  const copied = jest.fn<(text: string) => Promise<void>>().mockResolvedValue();
  const router = arrive({ savedProfile: true });
  const view = await screen.findByRole('link', { name: 'View' });
  expect(view.getAttribute('href')).toBe('/profile/ada');
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } });
  screen.getByRole('button', { name: 'Copy link' }).focus();
  await userEvent.keyboard('{Enter}');
  expect(copied).toHaveBeenCalledWith('http://localhost:8080/profile/ada');
  // Going back and forth or reloading must not show it again.
  await waitFor(() => expect(router.state.location.state).toBeNull());
  expect(
    screen.getAllByText('Your profile is saved.', { ignore: '[role=status], [role=status] *' }),
  ).toHaveLength(1);
});

test('a profile that is not public has no link to share', async () => {
  arrive({ savedProfile: true }, false);
  await screen.findAllByText('Your profile is saved. Nobody else sees it yet.');
  expect(screen.queryByRole('link', { name: 'View' })).toBeNull();
});

test('without a save no toast appears', async () => {
  arrive(null);
  await waitFor(() => expect(screen.queryByText(/saved/)).toBeNull());
});
