import { render, screen } from '@testing-library/react';
import { expect, jest, test } from '@jest/globals';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { PageBroken } from './page-broken.tsx';

function Broken(): never {
  throw new Error('its code did not come');
}

test.each([true, false])(
  'a page that throws shows an error, or that the browser is offline: online %s',
  (online) => {
    jest.spyOn(console, 'error').mockReturnValue();
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
    const router = createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <PageBroken /> }]);
    render(<RouterProvider router={router} />);
    expect(screen.getByRole('heading', { name: 'This page could not be shown.' })).toBeTruthy();
    expect(screen.queryByText('You are offline.') === null).toBe(online);
  },
);
