import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { fakeApi, makeCreator, renderAt } from '../../testing.tsx';
import { PublicAddress } from './public-address.tsx';

beforeEach(() => queryClient.clear());

const show = () => {
  fakeApi(() => Response.json(makeCreator()));
  renderAt('/dashboard', <PublicAddress />);
  return screen.findByRole('heading', { name: 'Your Public Address' });
};
const letShare = (share?: (data: ShareData) => Promise<void>) => {
  if (share) Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  else Reflect.deleteProperty(navigator, 'share');
};

test('the address is handed to the share sheet where there is one, and closing it is no failure', async () => {
  const shared: ShareData[] = [];
  letShare(async (data) => {
    shared.push(data);
    throw new DOMException('', 'AbortError');
  });
  await show();
  await userEvent.click(screen.getByRole('button', { name: 'Share' }));
  letShare();
  expect(shared).toEqual([{ title: '@ada on Stoa', url: `${location.origin}/profile/ada` }]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('without a share sheet the address is copied alone', async () => {
  letShare();
  await show();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
});
