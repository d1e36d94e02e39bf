import { expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { queryClient } from '../../api/query-client.ts';
import { makeCreator } from '../../testing/creators.ts';
import { fakeApi } from '../../testing/fake-api.ts';
import { renderAt } from '../../testing/render.tsx';
import { NextSteps, Steps } from './next-steps.tsx';

const newcomer = makeCreator({ emailVerified: false, published: false, isPublic: false });

test('a new creator sees why the profile is not listed, and the first step [web-20]', () => {
  renderAt('/dashboard', <Steps creator={newcomer} offeringCount={0} publishedCount={0} />);
  expect(screen.getByRole('heading', { name: 'Welcome to Stoa: 0 of 5' })).toBeTruthy();
  expect(screen.getByText(/^Why am I not listed\? Nobody but you sees your profile/)).toBeTruthy();
  const [first] = screen.getAllByRole('link');
  expect(first?.getAttribute('href')).toBe('/create-profile');
});

test('a saved profile waits for the email verification', () => {
  renderAt(
    '/dashboard',
    <Steps creator={{ ...newcomer, published: true }} offeringCount={1} publishedCount={1} />,
  );
  expect(screen.getByText(/public as soon as you have proved your email address/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Complete your page: 2 of 5' })).toBeTruthy();
});

test('a creator with a profile is pointed to the first offering', () => {
  renderAt(
    '/dashboard',
    <Steps creator={{ ...newcomer, published: true, isPublic: true }} offeringCount={0} publishedCount={0} />,
  );
  expect(screen.getByRole('heading', { name: 'Complete your page: 1 of 5' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
  expect(screen.getByRole('link', { name: 'Add your first offering' }).getAttribute('href')).toBe(
    '/dashboard/add-offering',
  );
});

test('a profile that Stoa has hidden points to the reason [web-21]', () => {
  renderAt(
    '/dashboard',
    <Steps
      creator={{ ...newcomer, published: true, isPublic: true, takenDown: true }}
      offeringCount={1}
      publishedCount={1}
    />,
  );
  expect(
    screen.getByText(/^Why am I not listed\? Your profile is hidden: the reason stands above\.$/),
  ).toBeTruthy();
  expect(screen.queryByText(/Visitors find you already/)).toBeNull();
});

test('a draft does not complete a page', () => {
  renderAt(
    '/dashboard',
    <Steps creator={{ ...newcomer, published: true, isPublic: true }} offeringCount={1} publishedCount={0} />,
  );
  expect(screen.getByRole('link', { name: 'Publish your first offering' })).toBeTruthy();
});

test('an offering that Stoa has hidden does not complete a page', async () => {
  queryClient.clear();
  fakeApi(({ path }) =>
    path === '/api/me'
      ? Response.json(makeCreator())
      : Response.json({ items: [{ id: 'a', state: 'published', takenDown: true }], pinnedId: null }),
  );
  renderAt('/dashboard', <NextSteps />);
  expect(await screen.findByRole('link', { name: /first offering/ })).toBeTruthy();
});

test('a complete profile shows no missing step', () => {
  const profileImage = { id: '1', path: 'p', widths: [1], width: 1, height: 1, color: '#fff' };
  const whole = { ...newcomer, published: true, isPublic: true, bio: 'Hi', profileImage };
  renderAt(
    '/dashboard',
    <Steps creator={{ ...whole, niches: ['Poet'] }} offeringCount={1} publishedCount={1} />,
  );
  expect(screen.queryByRole('heading')).toBeNull();
});
