import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { saveProfile } from '../src/creators.ts';
import { randomPhoto } from '../src/pictures.ts';
import { phone } from '../src/screens/screen.ts';
import { expect, test } from '../src/test.ts';

const previewOf = (page: Page) =>
  page.getByRole('figure').filter({ hasText: /on your profile|once you publish/ });
const backgroundOf = (page: Page) =>
  previewOf(page).evaluate((element) => getComputedStyle(element).backgroundColor);

test('the preview shows an offering with its cover during the upload [e2e-119]', async ({
  signedInPage: page,
  creator: { token, username, displayName },
}) => {
  await saveProfile(token, { displayName, palette: 'plum', contactBy: 'email' });
  await page.goto('/dashboard/add-offering');
  const preview = previewOf(page);
  await expect(preview).toBeVisible();
  await expect(preview).toHaveAttribute('data-palette', 'plum');

  // The upload waits here until the test releases it.
  const upload = Promise.withResolvers<void>();
  await page.route('**/api/uploads', async (route) => {
    await upload.promise;
    await route.continue();
  });
  await page.getByLabel('Cover Image').setInputFiles(await randomPhoto());
  await expect(preview.locator('img[src^="blob:"]')).toBeVisible();
  await page.getByLabel('Title').fill('Letters to the sea');
  await page.getByLabel('Price').fill('R150');
  await page.getByLabel('Payment Link').fill('https://www.pay.example.com/letters');
  await page.getByLabel('State').selectOption({ label: 'Draft' });
  await expect(preview).toContainText('How it looks once you publish it.');
  await expect(preview).toContainText('Letters to the sea');
  await expect(preview).toContainText('pay.example.com');
  await page.getByLabel('State').selectOption({ label: 'Published' });
  await expectAccessible(page, 'offering-preview');
  upload.resolve();
  await expect(preview.locator('source[type="image/avif"]')).toBeAttached();
  const paper = await backgroundOf(page);
  const shown = (await preview.getByRole('article', { includeHidden: true }).innerText()).trim();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Your offering is published.')).toBeVisible();

  await page.goto(`/profile/${username}`);
  expect((await page.getByRole('article').innerText()).trim()).toBe(shown);
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(paper);
});

test('on a phone a button above the form opens the preview', async ({ signedInPage: page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard/add-offering');
  await expect(previewOf(page)).toBeHidden();
  await page.getByRole('button', { name: 'Show Preview' }).click();
  await page.getByLabel('Title').fill('Letters to the sea');
  await expect(previewOf(page)).toContainText('Letters to the sea');
  await expectAccessible(page, 'offering-preview-phone', phone);
  await page.getByRole('button', { name: 'Hide Preview' }).click();
  await expect(previewOf(page)).toBeHidden();
});
