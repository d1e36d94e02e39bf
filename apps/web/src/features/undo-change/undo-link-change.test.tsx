import type { UndoneLinkChange } from '@stoa/contracts';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from '@jest/globals';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt, withText } from '../../testing/render.tsx';
import UndoChangePage from './undo-change-page.tsx';

const take = { name: 'It Was Not Me: Take It Back' };
const links = [{ name: 'Letters', url: 'https://pay.example.com/letters' }];

test('a confirmed undo restores the payment link, and proposes a new password', async () => {
  const undone: UndoneLinkChange = { offeringId: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a12', links };
  const asked = fakeApi(() => Response.json(undone));
  renderAt('/undo-change?links#a-token', <UndoChangePage />);
  const button = await screen.findByRole('button', take);
  expect(asked).toEqual([]);
  await userEvent.click(button);
  await screen.findByText(withText('The change is taken back: “Letters” is paid at pay.example.com again.'));
  expect(asked).toMatchObject([
    { method: 'POST', path: '/api/link-changes/undo', body: { token: 'a-token' } },
  ]);
  expect(screen.getByRole('link', { name: 'Change Password' }).getAttribute('href')).toBe('/forgot-password');
});

test.each([
  [links, 'The change is taken back: the payment links of your profile lead to pay.example.com again.'],
  [[], 'The change is taken back: your profile has no payment links again.'],
])('the restored links of a profile are shown by their hosts (%#)', async (restored, words) => {
  fakeApi(() => Response.json({ offeringId: null, links: restored }));
  renderAt('/undo-change?links#a-token', <UndoChangePage />);
  await userEvent.click(await screen.findByRole('button', take));
  expect(await screen.findByText(words)).toBeTruthy();
});

test('an offering without a previous link is shown as a draft', async () => {
  fakeApi(() => Response.json({ offeringId: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a12', links: [] }));
  renderAt('/undo-change?links#a-token', <UndoChangePage />);
  await userEvent.click(await screen.findByRole('button', take));
  const words = 'The change is taken back: the offering is a draft, which nobody else sees.';
  expect(await screen.findByText(words)).toBeTruthy();
});

test('a used link about a payment link is explained', async () => {
  fakeApi(() => problem(404, 'not_found'));
  renderAt('/undo-change?links#used', <UndoChangePage />);
  await userEvent.click(await screen.findByRole('button', take));
  expect(await screen.findByText('This link has been used, or has run out.')).toBeTruthy();
});
