import { expect, type Page } from '@playwright/test';
import { openAccountRow } from '../account-row.ts';
import { fulfillRequests } from './request-faults.ts';
import { openPage, type Screen } from './screen.ts';

const viewer = 'seller' as const;
const region = (page: Page, name: string) => page.getByRole('region', { name });

const deadLink = {
  id: '0190a8a0-0000-7000-8000-000000000001',
  ...{ kind: 'payment', label: 'Access Now', url: 'https://pay.example.com/letters' },
  ...{ offeringId: '0190a8a0-0000-7000-8000-000000000002', title: 'A Letter Every Month' },
  ...{ finding: 'not_found', since: '2026-11-20T10:00:00.000Z', lookedAt: '2026-11-22T10:00:00.000Z' },
  isQueued: false,
};

/** Screens of a creator with problems, such as hidden offerings. */
export const sellerScreens: readonly Screen[] = [
  {
    name: 'takedowns',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await openPage(page, '/dashboard');
      await expect(region(page, 'Hidden by Stoa').getByRole('button', { name: 'Appeal' })).toBeVisible();
    },
    state: (page) => region(page, 'Hidden by Stoa'),
  },
  {
    name: 'dead-links',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      // The answer is invented, because a link is dead only after three failed checks, hours apart.
      // journeys/link-health.spec.ts has a real one.
      await fulfillRequests(page, '**/api/me/link-health', 200, { items: [deadLink] });
      await openPage(page, '/dashboard');
      await expect(region(page, 'Links that no longer work')).toBeVisible();
    },
    state: (page) => region(page, 'Links that no longer work'),
  },
  {
    name: 'offering-states',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await openPage(page, '/dashboard');
      await expect(page.getByText('Sold out').first()).toBeVisible();
    },
    state: (page) => page.getByRole('region', { name: /^Your Offerings/ }),
  },
  {
    name: 'public-address',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await openPage(page, '/dashboard');
      const card = region(page, 'Your Public Address');
      await card.getByRole('button', { name: 'QR Code' }).click();
      await expect(card.getByRole('img', { name: /^QR code of/ })).toBeVisible();
    },
    state: (page) => region(page, 'Your Public Address'),
  },
  {
    name: 'embed-code',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await openPage(page, '/dashboard');
      const card = region(page, 'Your Public Address');
      await card.getByRole('button', { name: 'Embed' }).click();
      await expect(card.getByRole('button', { name: 'Copy Code' })).toBeVisible();
    },
    state: (page) => region(page, 'Your Public Address'),
  },
  {
    name: 'link-changes',
    viewer,
    address: '/dashboard/account',
    show: async (page) => {
      await openPage(page, '/dashboard/account');
      const log = await openAccountRow(page, 'Changes of Payment Links');
      await expect(log.getByRole('listitem').first()).toBeVisible();
    },
    state: (page) => region(page, 'Changes of Payment Links'),
  },
  {
    name: 'workshop-fields',
    viewer,
    address: '/dashboard/edit-offering/{offeringId}',
    show: (page, { seller }) => openPage(page, `/dashboard/edit-offering/${seller.workshopId}`),
    state: (page) => page.getByRole('group', { name: 'Date and seats' }),
  },
  {
    name: 'edit-conflict',
    viewer,
    address: '/dashboard/edit-profile',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      const other = await page.context().newPage();
      await openPage(other, '/dashboard/edit-profile');
      // The text differs each time, because the same text would be no change.
      await other.getByLabel(/^Bio/).fill(`Printmaker in Durban, since ${Date.now()}.`);
      await other.getByRole('button', { name: 'Save Profile' }).click();
      await expect(other.getByText('Profile updated successfully!')).toBeVisible();
      await other.close();
      await page.getByLabel(/^Bio/).fill('Printmaker in Durban, and in Maputo in the summer.');
      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByRole('button', { name: 'Overwrite it with mine' })).toBeVisible();
    },
    state: (page) => page.getByRole('group', { name: /changed in another tab/ }),
  },
];
