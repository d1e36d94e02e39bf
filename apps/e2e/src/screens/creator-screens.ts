import type { Sale, SaleList } from '@stoa/contracts';
import { expect, type Page } from '@playwright/test';
import { openAccountRow } from '../account-row.ts';
import { samplePicture } from './screen-accounts.ts';
import { creatorRoutes } from './routes.ts';
import { openPage, type Screen } from './screen.ts';
import {
  abortRequests,
  expectAlert,
  expectInvalidField,
  fulfillRequests,
  stallRequests,
} from './request-faults.ts';
import { troubleScreens } from './trouble-screens.ts';

const viewer = 'creator' as const;
const nowhere = '0190a8a0-0000-7000-8000-000000000000';

const loading = (page: Page) => page.getByText('Loading your offerings...');
const deletionWords = (page: Page) => page.getByRole('textbox', { name: /^Type “delete my account”/ });
const numbers = (page: Page) => page.getByRole('region', { name: 'Numbers' });
const sessions = (page: Page) => page.getByRole('region', { name: 'Where You Are Signed In' });
const cropping = (page: Page) => page.getByRole('dialog', { name: 'Crop Your Picture' });
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ }).first();

/** Answers with one sale in each state. */
function salesOf(offeringId: string): SaleList {
  const at = '2026-11-20T12:00:00.000Z';
  const sale: Sale = {
    ...{ id: nowhere, offeringId, provider: 'PayPal', transactionId: 'order 1001', state: 'paid' },
    ...{ createdAt: at, keySince: at, uses: 2, lastUsedAt: at, downloads: 20, days: null },
  };
  const others: Partial<Sale>[] = [
    { uses: 20 },
    { state: 'disputed' },
    { state: 'refunded', downloads: null },
  ];
  const items = [sale, ...others.map((changes) => ({ ...sale, ...changes }))];
  return {
    items: items.map((one, index) => ({
      ...one,
      id: `${nowhere.slice(0, -1)}${index}`,
      transactionId: `order ${1001 + index}`,
    })),
    nextCursor: null,
  };
}

/** Clicks Delete, which is in the menu of the row on a phone. */
async function askToDelete(page: Page): Promise<void> {
  for (const name of [/^More for/, /^Delete/]) await page.getByRole('button', { name }).first().click();
}

const states: Screen[] = [
  {
    name: 'dashboard-loading',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await stallRequests(page, '**/api/me/offerings');
      await page.goto('/dashboard');
      await expect(loading(page)).toBeVisible();
    },
    state: loading,
  },
  {
    name: 'dashboard-failed',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await abortRequests(page, '**/api/me/offerings');
      await page.goto('/dashboard');
      await expectAlert(page);
    },
    state: alert,
  },
  {
    name: 'delete-question',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await openPage(page, '/dashboard');
      await askToDelete(page);
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
  },
  {
    name: 'delete-failed',
    viewer,
    address: '/dashboard',
    show: async (page) => {
      await openPage(page, '/dashboard');
      await abortRequests(page, '**/api/offerings/*');
      await askToDelete(page);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await expect(page.getByText('Failed to delete the offering. Please try again.').first()).toBeVisible();
      await expect(page.getByRole('alertdialog')).toBeHidden();
    },
  },
  {
    name: 'edit-profile-errors',
    viewer,
    address: '/dashboard/edit-profile',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      await page.getByLabel('Display name').fill('');
      await page.locator('main button[type=submit]').click();
      await expectInvalidField(page);
    },
  },
  {
    name: 'leave-question',
    viewer,
    address: '/dashboard/edit-profile',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      await page.getByLabel('Display name').fill('Somebody else');
      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
  },
  {
    name: 'account-deletion',
    viewer,
    address: '/dashboard/account?delete',
    show: async (page) => {
      await page.goto('/dashboard/account?delete');
      await page.getByRole('button', { name: 'Delete for Good' }).click();
      await expectInvalidField(page);
    },
    state: deletionWords,
  },
  {
    name: 'add-offering-errors',
    viewer,
    address: '/dashboard/add-offering',
    show: async (page) => {
      await openPage(page, '/dashboard/add-offering');
      await page.getByRole('button', { name: 'Create Offering' }).click();
      await expect(page.getByText('Please select a cover image.', { exact: true })).toBeVisible();
    },
  },
  {
    name: 'offering-missing',
    viewer,
    address: '/dashboard/edit-offering/{offeringId}',
    show: async (page) => {
      await page.goto(`/dashboard/edit-offering/${nowhere}`);
      await expectAlert(page);
    },
  },
  {
    name: 'download-missing',
    viewer,
    address: '/download/{creatorId}/{offeringId}',
    show: async (page, { creator }) => {
      await page.goto(`/download/${creator.uid}/${nowhere}`);
      await expectAlert(page);
    },
  },
  {
    name: 'download-invalid',
    viewer,
    address: '/download',
    show: async (page) => {
      await page.goto('/download');
      await expectAlert(page);
    },
  },
  {
    name: 'numbers',
    viewer,
    address: '/dashboard/numbers',
    show: async (page) => {
      await openPage(page, '/dashboard/numbers');
      await expect(numbers(page).getByRole('button', { name: 'Download CSV' })).toBeVisible();
    },
    state: numbers,
  },
  {
    name: 'sales',
    viewer,
    address: '/dashboard/sales',
    show: async (page, { creator }) => {
      await fulfillRequests(page, '**/api/sales', 200, salesOf(creator.offeringId));
      await openPage(page, '/dashboard/sales');
      await expect(page.getByText('Used up')).toBeVisible();
    },
  },
  {
    name: 'sale-closing',
    viewer,
    address: '/dashboard/sales',
    show: async (page, { creator }) => {
      await fulfillRequests(page, '**/api/sales', 200, salesOf(creator.offeringId));
      await openPage(page, '/dashboard/sales');
      await page.getByRole('button', { name: 'Close of order 1001' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
    state: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'sale-adding',
    viewer,
    address: '/dashboard/sales?offering={offeringId}',
    show: async (page, { creator }) => {
      await openPage(page, `/dashboard/sales?offering=${creator.offeringId}`);
      await page.getByRole('button', { name: 'Add Sale' }).click();
      await expectInvalidField(page);
    },
  },
  {
    name: 'sales-none',
    viewer: 'newcomer',
    address: '/dashboard/sales',
    show: async (page) => {
      await openPage(page, '/dashboard/sales');
      await expect(page.getByText(/^None of your offerings delivers anything yet/)).toBeVisible();
    },
  },
  {
    name: 'sessions',
    viewer,
    address: '/dashboard/account',
    show: async (page) => {
      await openPage(page, '/dashboard/account');
      await openAccountRow(page, 'Where You Are Signed In');
      await expect(sessions(page).getByText('This browser', { exact: true })).toBeVisible();
    },
    state: sessions,
  },
  {
    name: 'account-export',
    viewer,
    address: '/dashboard/account?export',
    show: async (page) => {
      await openPage(page, '/dashboard/account?export');
      await expect(page.getByRole('heading', { name: 'Export Your Data' })).toBeFocused();
    },
    state: (page) => page.getByRole('region', { name: 'Export Your Data' }),
  },
  {
    name: 'crop',
    viewer,
    address: '/dashboard/edit-profile',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      await page
        .getByLabel('Profile Picture')
        .setInputFiles(samplePicture('kwame-asante-portraits-from-life'));
      await expect(cropping(page).getByRole('button', { name: 'Use Picture' })).toBeEnabled();
    },
    state: cropping,
  },
  {
    name: 'fresh-login',
    viewer,
    address: '/dashboard/edit-offering/{offeringId}',
    show: async (page, { creator: { offeringId } }) => {
      await openPage(page, `/dashboard/edit-offering/${offeringId}`);
      // Answers as the API does when the log-in is older than 10 minutes, because the test cannot wait that long.
      await fulfillRequests(page, `**/api/offerings/${offeringId}`, 403, { code: 'fresh_login_required' });
      await page.getByLabel('Payment Link').fill('https://elsewhere.example.net/letters');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await expect(page.getByRole('alertdialog')).toBeVisible();
    },
    state: (page) => page.getByRole('alertdialog'),
  },
  {
    name: 'review-refused',
    viewer,
    address: '/review',
    show: async (page) => {
      await page.goto('/review');
      await expect(page.getByText('This room is for the people who look at reports.')).toBeVisible();
    },
  },
  {
    name: 'numbers-none',
    viewer: 'newcomer',
    address: '/dashboard/numbers',
    show: async (page) => {
      await openPage(page, '/dashboard/numbers');
      await expect(numbers(page).getByText('No visits yet. Share your page.')).toBeVisible();
    },
    state: numbers,
  },
  {
    name: 'dashboard-empty',
    viewer: 'newcomer',
    address: '/dashboard',
    show: (page) => openPage(page, '/dashboard'),
  },
  {
    name: 'create-profile',
    viewer: 'newcomer',
    address: '/create-profile',
    show: (page) => openPage(page, '/create-profile'),
  },
];

export const creatorScreens: readonly Screen[] = [
  ...creatorRoutes({ uid: '{creatorId}', offeringId: '{offeringId}' }).map(({ name, path }): Screen => {
    const address = decodeURI(path);
    return {
      name,
      viewer,
      address,
      show: (page, { creator }) =>
        openPage(
          page,
          address.replace('{creatorId}', creator.uid).replace('{offeringId}', creator.offeringId),
        ),
    };
  }),
  ...states,
  ...troubleScreens,
];
