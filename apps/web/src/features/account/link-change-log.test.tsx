import type { LinkChange } from '@stoa/contracts';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { LinkChangeLog } from './link-change-log.tsx';

beforeEach(() => queryClient.clear());

const letters = (url: string) => [{ name: 'Letters', url }];
const change: LinkChange = {
  id: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a11',
  at: '2026-11-20T10:00:00.000Z',
  offeringId: '4f9f4a56-8a5a-4a4e-9d5e-0f9f0c3f7a12',
  before: letters('https://www.pay.example.com/letters'),
  after: letters('https://elsewhere.example.net/letters'),
  undoneAt: null,
};

const listed = (items: LinkChange[]) => {
  fakeApi(() => Response.json({ items }));
  renderAt('/dashboard/account', <LinkChangeLog />);
  fireEvent.click(screen.getByRole('button', { name: 'Changes of Payment Links', expanded: false }));
};

test('each change shows its subject, its hosts, and whether it was undone', async () => {
  const profile = { ...change, id: 'other', offeringId: null, before: [] };
  listed([change, { ...profile, undoneAt: '2026-11-21T10:00:00.000Z' }]);
  const [first, second] = await screen.findAllByRole('listitem');
  expect(within(first!).getByRole('heading').textContent).toBe('Letters');
  expect(first!.textContent).toMatch(/Frompay\.example\.comToelsewhere\.example\.net$/);
  expect(within(second!).getByRole('heading').textContent).toBe('Your profile');
  expect(second!.textContent).toMatch(/FromNo linkToelsewhere\.example\.netTaken back 21 Nov 2026/);
});

test('another payee of the same host is shown with its path', async () => {
  listed([{ ...change, after: letters('http://pay.example.com/mallory') }]);
  const item = await screen.findByRole('listitem');
  expect(item.textContent).toMatch(/Frompay\.example\.com\/lettersTohttp:\/\/pay\.example\.com\/mallory$/);
});

test('an empty log shows that there are no changes', async () => {
  listed([]);
  expect(await screen.findByText('There are none.')).toBeTruthy();
});

test('a log that cannot be read opens its row with an error and a retry', async () => {
  let answer = () => problem(403, 'forbidden');
  fakeApi(() => answer());
  renderAt('/dashboard/account', <LinkChangeLog />);
  await screen.findByText('Failed to load the changes of your payment links.');
  answer = () => Response.json({ items: [change] });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: 'Letters' })).toBeTruthy();
});
