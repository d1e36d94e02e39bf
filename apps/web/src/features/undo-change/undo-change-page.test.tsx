import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import UndoChangePage from './undo-change-page.tsx';

const take = { name: 'It Was Not Me: Take It Back' };

test('a link changes nothing until the user confirms', async () => {
  const asked = fakeApi(() => new Response(null, { status: 204 }));
  renderAt('/undo-change#a-token', <UndoChangePage />);
  const button = await screen.findByRole('button', take);
  expect(asked).toEqual([]);
  await userEvent.click(button);
  await screen.findByText(/The account is yours again/);
  expect(asked).toMatchObject([
    { method: 'POST', path: '/api/account-changes/undo', body: { token: 'a-token' } },
  ]);
  expect(screen.queryByRole('button', take)).toBeNull();
});

test('a used or missing link is explained', async () => {
  fakeApi(() => problem(404, 'not_found'));
  const { unmount } = renderAt('/undo-change#used', <UndoChangePage />);
  await userEvent.click(await screen.findByRole('button', take));
  await screen.findByText('This link has been used, or has run out.');
  unmount();
  renderAt('/undo-change', <UndoChangePage />);
  await screen.findByText('This link has been used, or has run out.');
  expect(screen.queryByRole('button', take)).toBeNull();
});
