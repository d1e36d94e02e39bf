import type { Creator } from '@stoa/contracts';
import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { renderAt } from '../../testing.tsx';
import { Steps } from './next-steps.tsx';

const newcomer: Creator = {
  uid: crypto.randomUUID(),
  username: 'ada',
  displayName: 'Ada',
  contactBy: 'email',
  email: 'ada@example.com',
  bio: '',
  profileImage: null,
  headerImage: null,
  paygates: [],
  socialLinks: { youtube: null, tiktok: null, instagram: null },
  niches: [],
  offeringCount: 0,
  createdAt: '2026-11-21T12:00:00Z',
  emailVerified: false,
  published: false,
  isPublic: false,
  updatedAt: '2026-11-21T12:00:00Z',
  version: 1,
};

test('a newcomer is told why nobody finds them, and what to do first', () => {
  renderAt('/dashboard', <Steps creator={newcomer} offeringCount={0} />);
  expect(screen.getByRole('heading', { name: 'Welcome to Stoa: 0 of 5' })).toBeTruthy();
  expect(screen.getByText(/^Why am I not listed\? Nobody but you sees your profile/)).toBeTruthy();
  const [first] = screen.getAllByRole('link');
  expect(first?.getAttribute('href')).toBe('/dashboard/edit-profile');
});

test('a saved profile with an unproved address says what it waits for', () => {
  renderAt('/dashboard', <Steps creator={{ ...newcomer, published: true }} offeringCount={1} />);
  expect(screen.getByText(/public as soon as you have proved your email address/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Complete your page: 2 of 5' })).toBeTruthy();
});

test('a complete profile lacks nothing', () => {
  const profileImage = { id: '1', path: 'p', widths: [1], width: 1, height: 1, color: '#fff' };
  const whole = { ...newcomer, published: true, isPublic: true, bio: 'Hi', profileImage };
  renderAt('/dashboard', <Steps creator={{ ...whole, niches: ['Poet'] }} offeringCount={1} />);
  expect(screen.queryByRole('heading')).toBeNull();
});
