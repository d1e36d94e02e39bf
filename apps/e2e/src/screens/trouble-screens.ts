import { expect, type Page } from '@playwright/test';
import { theSystem } from '../system.ts';
import { fulfillRequests, stallUploads, expectInvalidField, abortRequests } from './request-faults.ts';
import { openPage, type Screen, type World } from './screen.ts';

const viewer = 'creator' as const;

const editOffering = (page: Page, { creator }: World) =>
  openPage(page, `/dashboard/edit-offering/${creator.offeringId}`);

const uploading = (page: Page) => page.getByRole('progressbar', { name: 'Upload of the file' });
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });
const question = (page: Page) => page.getByRole('alertdialog');

async function chooseFile(page: Page): Promise<void> {
  await page.getByLabel('Downloadable File').setInputFiles({
    name: 'Averyveryverylongwordthatnobodywouldeverwriteinthenameofafile.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.alloc(5000),
  });
}

/** Screens of uploads in progress, and of accounts or sessions with errors. */
export const troubleScreens: readonly Screen[] = [
  {
    name: 'edit-profile-payment-errors',
    viewer,
    address: '/dashboard/edit-profile',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      await page.getByRole('button', { name: 'Add Payment Link' }).click();
      await page
        .getByLabel(/^Name of payment link/)
        .last()
        .fill('Till');
      await page
        .getByLabel(/^Address of payment link/)
        .last()
        .fill('not a link');
      await page.locator('main button[type=submit]').click();
      await expectInvalidField(page);
    },
    state: (page) => page.locator('[aria-invalid=true]').first(),
  },
  {
    name: 'upload-under-way',
    viewer,
    address: '/dashboard/edit-offering/{offeringId}',
    show: async (page, world) => {
      await editOffering(page, world);
      await stallUploads(page, `${theSystem().minio.publicEndpoint}/**`);
      await chooseFile(page);
      await expect(uploading(page)).toBeVisible();
    },
    state: uploading,
  },
  {
    name: 'upload-failed',
    viewer,
    address: '/dashboard/edit-offering/{offeringId}',
    show: async (page, world) => {
      await editOffering(page, world);
      await abortRequests(page, '**/api/uploads');
      await chooseFile(page);
      await expect(tryAgain(page)).toBeVisible();
    },
    state: tryAgain,
  },
  {
    name: 'rotate-question',
    viewer: 'seller',
    address: '/dashboard/edit-offering/{offeringId}',
    show: async (page, { seller }) => {
      // Uses the seller's offering, because the creator's has nothing for buyers and so no link to rotate.
      await openPage(page, `/dashboard/edit-offering/${seller.workshopId}`);
      await page.getByRole('button', { name: 'Rotate link' }).click();
      await expect(question(page)).toBeVisible();
    },
    state: question,
  },
  {
    name: 'session-ended',
    viewer,
    address: '/dashboard/edit-profile',
    show: async (page) => {
      await openPage(page, '/dashboard/edit-profile');
      await fulfillRequests(page, '**/api/me/profile', 401, { code: 'unauthenticated' });
      await fulfillRequests(page, '**/protocol/openid-connect/token', 400, { error: 'invalid_grant' });
      await page.locator('main button[type=submit]').click();
      await expect(page.getByText('Your session has ended.').first()).toBeVisible();
    },
  },
  {
    name: 'account-refused',
    viewer: 'newcomer',
    address: '/dashboard',
    show: async (page) => {
      await fulfillRequests(page, '**/api/me', 409, { code: 'conflict' });
      await openPage(page, '/dashboard');
      await expect(page.getByRole('heading', { name: 'Your account could not be opened.' })).toBeVisible();
    },
  },
  {
    name: 'download-file',
    viewer: 'newcomer',
    address: '/download/{creatorId}/{offeringId}#key={key}',
    show: async (page, { delivery }) => {
      await openPage(page, `${delivery.page}#key=${delivery.key}`);
      await expect(page.getByRole('link', { name: /^Download Now/ })).toBeVisible();
    },
  },
  {
    name: 'download-needs-link',
    viewer: 'newcomer',
    address: '/download/{creatorId}/{offeringId}',
    show: async (page, { delivery }) => {
      await openPage(page, delivery.page);
      await expect(page.getByText('This download opens with the link')).toBeVisible();
    },
  },
];
