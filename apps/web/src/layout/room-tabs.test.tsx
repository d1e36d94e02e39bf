import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { expect, test } from '@jest/globals';
import { Header } from './header.tsx';
import { RoomTabs } from './room-tabs.tsx';

test('no tab shares its name with a link of the header that leads elsewhere', () => {
  const media = { matches: false, addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, { matchMedia: () => media });
  render(
    <MemoryRouter initialEntries={['/dashboard']}>
      <Header />
      <RoomTabs />
    </MemoryRouter>,
  );
  const targets = new Map<string, Set<string | null>>();
  for (const link of screen.getAllByRole('link')) {
    const name = link.textContent;
    targets.set(name, (targets.get(name) ?? new Set()).add(link.getAttribute('href')));
  }
  for (const [name, hrefs] of targets) expect([name, hrefs.size]).toEqual([name, 1]);
  expect(screen.getByRole('link', { current: 'page', name: 'Dashboard' })).toBeTruthy();
});
