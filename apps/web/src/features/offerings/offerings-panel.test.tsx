import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem, renderAt } from '../../testing.tsx';
import { ToastProvider } from '../../ui/toast.tsx';
import OfferingsPanel from './offerings-panel.tsx';

const offering = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  title: 'Twelve letters',
  type: 'eBook',
  state: 'published',
  coverImage: null,
};

beforeEach(() => {
  queryClient.clear();
  jest.spyOn(console, 'error').mockReturnValue();
});

/** The list as it is until the deletion was tried, and after. */
async function deleteIt(answer: () => Response) {
  let tried = false;
  fakeApi(({ method }) => {
    if (method === 'GET') return Response.json({ items: tried ? [] : [offering] });
    tried = true;
    return answer();
  });
  renderAt(
    '/dashboard',
    <ToastProvider>
      <OfferingsPanel />
    </ToastProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: /Delete.*Twelve letters/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
}

test('deleting an offering that is already deleted succeeds', async () => {
  await deleteIt(() => problem(404, 'not_found'));
  await screen.findByText('Offering deleted successfully!');
  expect(await screen.findByRole('heading', { name: 'Your Offerings (0)' })).toBeTruthy();
});

test('a newly published offering is announced, with the place of its delivery link', async () => {
  const file = { id: 'f', filename: 'letters.pdf', size: 9 };
  const whole = {
    ...offering,
    slug: 'twelve-letters',
    creatorId: 'c',
    deliveryKey: 'open-sesame',
    price: 'R150',
    file,
  };
  const me = { username: 'ada', isPublic: true };
  fakeApi(({ path }) => Response.json(path === '/api/me' ? me : { items: [whole] }));
  const said = () => screen.queryByText(/^Your offering is published\./);
  const { unmount } = renderAt('/dashboard', <OfferingsPanel />);
  await screen.findByRole('heading', { name: 'Twelve letters' });
  expect(said()).toBeNull();
  unmount();
  render(
    <MemoryRouter initialEntries={[{ pathname: '/dashboard', state: { created: offering.id } }]}>
      <OfferingsPanel />
    </MemoryRouter>,
  );
  expect((await screen.findByText(/^Your offering is published\./)).closest('[role=status]')).toBeTruthy();
  const view = await screen.findByRole('link', { name: 'View' });
  expect(view.getAttribute('href')).toBe('/profile/ada/twelve-letters');
  expect(screen.getByRole('button', { name: 'Copy delivery link' })).toBeTruthy();
});

test('any other error of a delete is shown', async () => {
  await deleteIt(() => problem(503, 'unavailable'));
  await screen.findByText('Failed to delete the offering. Please try again.');
  expect(await screen.findByRole('heading', { name: 'Your Offerings (1)' })).toBeTruthy();
});
