import { render, screen } from '@testing-library/react';
import { leaveEvent } from '../browser/lost-code.ts';
import { expect, jest, test } from '@jest/globals';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { PageBroken } from './page-broken.tsx';

function Broken(): never {
  throw new Error('its code did not come');
}

test.each([true, false])(
  'a page that throws shows an error, or that the browser is offline: online %s [web-96]',
  (online) => {
    jest.spyOn(console, 'error').mockReturnValue();
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <PageBroken /> }]);
    render(<RouterProvider router={router} />);
    expect(screen.getByRole('heading', { name: 'This page could not be shown.' })).toBeTruthy();
    expect(screen.queryByText('You are offline.') === null).toBe(online);
  },
);

test('a page that broke offline saves drafts and reloads once the network returns', () => {
  jest.spyOn(console, 'error').mockReturnValue();
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <PageBroken /> }]);
  const { unmount } = render(<RouterProvider router={router} />);
  let left = 0;
  const count = () => (left += 1);
  addEventListener(leaveEvent, count);
  dispatchEvent(new Event('online'));
  unmount();
  dispatchEvent(new Event('online'));
  removeEventListener(leaveEvent, count);
  expect(left).toBe(1);
});
