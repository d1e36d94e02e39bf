import { render, screen } from '@testing-library/react';
import { expect, jest, test } from '@jest/globals';
import { PageBoundary } from './page-boundary.tsx';

function Broken(): never {
  throw new Error('its code did not come');
}

test.each([true, false])('a page that breaks says so, and that one is offline: online %s', (online) => {
  jest.spyOn(console, 'error').mockReturnValue();
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(online);
  render(
    <PageBoundary>
      <Broken />
    </PageBoundary>,
  );
  expect(screen.getByRole('heading', { name: 'This page could not be shown.' })).toBeTruthy();
  expect(screen.queryByText('You are offline.') === null).toBe(online);
});
