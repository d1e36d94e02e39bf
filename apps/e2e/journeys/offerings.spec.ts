import type { Page } from '@playwright/test';
import { makeCreator, makeOffering } from '../src/creators.ts';
import { aPhoto, aPhotoOf } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

const row = (page: Page, title: string) => page.getByRole('article').filter({ hasText: title });

test('an offering is edited, and visitors see the change', async ({ signedInPage: page, creator }) => {
  const offering = await makeOffering(creator.token, { title: 'Before' });
  await page.reload();
  await row(page, 'Before').getByRole('link', { name: 'Edit' }).click();
  await expect(page).toHaveURL(`/dashboard/edit-offering/${offering.id}`);
  await expect(page.getByLabel('Title')).toHaveValue('Before');
  await page.getByLabel('Title').fill('After');
  await page.getByLabel('Type').selectOption({ label: '1:1 Consultation' });
  await page.getByLabel('Payment Link').fill('https://pay.example.test/after');
  await page.getByLabel('Cover Image').setInputFiles(await aPhoto());
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Offering updated successfully!')).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
  await expect(row(page, 'After')).toContainText('1:1 Consultation');

  await page.getByRole('link', { name: 'View My Public Profile' }).click();
  await expect(row(page, 'After').getByRole('link', { name: 'Access Now' })).toHaveAttribute(
    'href',
    'https://pay.example.test/after',
  );
});

test('an offering is deleted only after a confirmation', async ({ signedInPage: page, creator }) => {
  await makeOffering(creator.token, { title: 'Doomed' });
  await makeOffering(creator.token, { title: 'Spared' });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Your Offerings (2)' })).toBeVisible();

  await row(page, 'Doomed').getByRole('button', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Doomed');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(row(page, 'Doomed')).toBeVisible();

  await row(page, 'Doomed').getByRole('button', { name: 'Delete' }).click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Offering deleted successfully!').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your Offerings (1)' })).toBeVisible();
  await expect(row(page, 'Doomed')).toHaveCount(0);

  await page.goto(`/profile/${creator.username}`);
  await expect(row(page, 'Spared')).toBeVisible();
  await expect(row(page, 'Doomed')).toHaveCount(0);
});

test('a new offering without a cover or a link says so at the fields', async ({ signedInPage: page }) => {
  await page.getByRole('link', { name: 'Add New Offering' }).click();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Please select a cover image.', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.getByLabel('Payment Link').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(
    page.getByText('Enter a link that starts with http:// or https://.', { exact: true }),
  ).toBeVisible();
  await expect(page).toHaveURL('/dashboard/add-offering');
});

test('a cover of 5 MB is taken and one byte more is refused', async ({ signedInPage: page }) => {
  const limit = 5 * 1024 * 1024;
  await page.goto('/dashboard/add-offering');
  const cover = page.getByLabel('Cover Image');
  await cover.setInputFiles(await aPhotoOf(limit + 1));
  await expect(page.getByText('Cover image must be smaller than 5MB.')).toBeVisible();
  await cover.setInputFiles(await aPhotoOf(limit));
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
  await expect(page.getByText('Cover image must be smaller than 5MB.')).toHaveCount(0);
});

test('the description counts as people count and stops at 1000', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/add-offering');
  const family = '👨‍👩‍👧';
  await page.getByLabel('Description').fill(family.repeat(1000));
  await expect(page.getByText('1000 / 1000 characters')).toBeVisible();
  await page.getByLabel('Description').fill(family.repeat(1001));
  await expect(page.getByText('1001 / 1000 characters')).toBeVisible();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Must be at most 1000 characters.', { exact: true })).toBeVisible();
});

test("somebody else's offering cannot be edited, and a missing one is not found", async ({
  signedInPage: page,
}) => {
  const other = await makeCreator();
  const theirs = await makeOffering(other.token);
  await page.goto(`/dashboard/edit-offering/${theirs.id}`);
  await expect(page.getByText('You do not have permission to edit this offering.')).toBeVisible();
  await page.goto(`/dashboard/edit-offering/${crypto.randomUUID()}`);
  await expect(page.getByText('Offering not found.')).toBeVisible();
  await page.goto('/dashboard/edit-offering/nonsense');
  await expect(page.getByText('Offering not found.')).toBeVisible();
});
