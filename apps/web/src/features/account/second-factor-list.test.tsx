import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, problem } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { SecondFactorList } from './second-factor-list.tsx';

const id = '6c1f8c2e-54b7-4f7d-9d0e-0b6f0a1f2c3d';
const added = { name: '', addedAt: '2026-11-20T10:00:00.000Z' };

beforeEach(() => queryClient.clear());

test('each factor shows its kind, name and day, and is removed at the sign-in server [web-10]', async () => {
  const items = [
    { ...added, id, kind: 'passkey', name: 'Laptop' },
    { id: crypto.randomUUID(), kind: 'recovery_codes', name: 'Recovery codes', addedAt: null },
  ];
  fakeApi(() => Response.json({ items }));
  const asked = jest.fn();
  renderAt('/dashboard/account', <SecondFactorList busy={false} onChange={asked} />);
  const rows = await screen.findAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Passkey “Laptop”Added 20 November 2026Remove',
    'Recovery codesRemove',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Remove Passkey “Laptop”' }));
  expect(asked).toHaveBeenCalledWith(`delete_credential:${id}`);
});

test('an empty list and a failed read each show a message', async () => {
  jest.spyOn(console, 'error').mockReturnValue();
  let down = true;
  fakeApi(() => (down ? problem(503, 'unavailable') : Response.json({ items: [] })));
  renderAt('/dashboard/account', <SecondFactorList busy={false} onChange={() => {}} />);
  const again = await screen.findByRole('button', { name: 'Try again' }, { timeout: 10_000 });
  expect(screen.getByText('Failed to load your second steps.')).toBeTruthy();
  down = false;
  await userEvent.click(again);
  expect(await screen.findByText(/^None yet/)).toBeTruthy();
});
