import { expect, type Page } from '@playwright/test';
import { logOut } from '../sign-in.ts';
import { abortRequests } from './request-faults.ts';
import { openPage, type Screen } from './screen.ts';

const titled = (page: Page, name: string) => page.getByRole('article', { name }).first();

const queue = (name: string, search: string, title: string): Screen => ({
  name,
  viewer: 'operator',
  address: `/review${search}`,
  show: async (page) => {
    await openPage(page, `/review${search}`);
    await expect(titled(page, title)).toBeVisible();
  },
  state: (page) => titled(page, title),
});

const operatorScreens: readonly Screen[] = [
  {
    name: 'review',
    viewer: 'operator',
    address: '/review',
    show: async (page) => {
      await openPage(page, '/review');
      await expect(page.getByRole('article').first()).toBeVisible();
    },
  },
  queue('review-appealed', '', 'Postcards from Nowhere'),
  queue('review-hidden', '?queue=hidden', 'Portraits of Strangers'),
  queue('review-closed', '?queue=closed', 'Studio Recordings'),
  {
    name: 'review-decision-failed',
    viewer: 'operator',
    address: '/review',
    show: async (page) => {
      await openPage(page, '/review');
      await abortRequests(page, '**/api/review/cases/*/decisions');
      const reported = titled(page, 'The Blue Notebook');
      await reported.getByLabel('Words to the creator').fill('Say what a buyer gets.');
      await reported.getByRole('button', { name: /^Hide/ }).click();
      await page.getByRole('button', { name: 'Hide It' }).click();
      await expect(reported.getByRole('alert').getByText(/./)).toBeVisible();
    },
    state: (page) => titled(page, 'The Blue Notebook').getByRole('alert').filter({ hasText: /\S/ }),
  },
];

const beginnerScreens: readonly Screen[] = [
  {
    name: 'first-run',
    viewer: 'beginner',
    address: '/create-profile',
    show: (page) => openPage(page, '/create-profile'),
  },
  {
    name: 'dashboard-first-run',
    viewer: 'beginner',
    address: '/dashboard',
    show: (page) => openPage(page, '/dashboard'),
  },
  {
    name: 'preview-profile',
    viewer: 'beginner',
    address: '/dashboard/preview',
    show: (page) => openPage(page, '/dashboard/preview'),
  },
  {
    name: 'preview-offering',
    viewer: 'beginner',
    address: '/dashboard/preview/{offeringId}',
    show: (page, { beginner }) => openPage(page, `/dashboard/preview/${beginner.draftId}`),
  },
];

/** Pages of operators and of new creators, and protected pages after a log-out. */
export const roomScreens: readonly Screen[] = [
  ...operatorScreens,
  ...beginnerScreens,
  {
    name: 'logged-out-elsewhere',
    viewer: 'leaver',
    address: '/login',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      const other = await page.context().newPage();
      await openPage(other, '/dashboard');
      await logOut(other);
      await other.close();
      await expect(page.getByRole('heading', { name: 'You are logged out' })).toBeVisible();
    },
  },
];
