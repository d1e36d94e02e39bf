import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from '@jest/globals';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
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

test('the address goes to the share sheet, and closing the sheet is no failure [web-22]', async () => {
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

test('without a share sheet the address can only be copied', async () => {
  letShare();
  await show();
  expect(screen.queryByRole('button', { name: 'Share' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
});
