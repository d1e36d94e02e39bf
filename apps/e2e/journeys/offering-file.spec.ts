import { fetchJson } from '../src/api.ts';
import { makeOffering } from '../src/creators.ts';
import { randomFile } from '../src/files.ts';
import { fillOffering } from '../src/fill-in.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

test('a new offering is created with its file', async ({ signedInPage: page }) => {
  const file = randomFile(5000, 'letters.epub');
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'With a file');
  await page.getByLabel('Downloadable File').setInputFiles(file);
  await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page).toHaveURL('/dashboard');
  await page.getByRole('link', { name: 'Edit With a file' }).click();
  await expect(page.getByText('letters.epub')).toBeVisible();
});

test('a cancelled upload does not change the form and the file', async ({ signedInPage: page, creator }) => {
  const { id } = await makeOffering(creator.token, { title: 'Before' });
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Title').fill('Typed meanwhile');
  // The request gets no answer, so that the upload lasts until the test cancels it.
  await page.route(`${theSystem().minio.publicEndpoint}/**`, () => undefined);
  await page.getByLabel('Downloadable File').setInputFiles(randomFile());
  const progress = page.getByRole('progressbar', { name: 'Upload of the file' });
  await expect(progress).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).first().click();
  await expect(progress).toHaveCount(0);
  await expect(page.getByText('No file yet')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Typed meanwhile');
});

test('cancelling the upload that a save waits for publishes nothing', async ({
  signedInPage: page,
  creator,
}) => {
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'With the wrong file');
  await page.route(`${theSystem().minio.publicEndpoint}/**`, () => undefined);
  await page.getByLabel('Downloadable File').setInputFiles(randomFile());
  await expect(page.getByRole('progressbar', { name: 'Upload of the file' })).toBeVisible();
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText(/^Uploading .* of .*, then publishing\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('No file yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Offering' })).toBeEnabled();
  await expect(page.getByLabel('Title')).toHaveValue('With the wrong file');
  await expect(page).toHaveURL('/dashboard/add-offering');
  const { items } = await fetchJson<{ items: unknown[] }>('GET', '/api/me/offerings', {
    token: creator.token,
  });
  expect(items).toEqual([]);
});

test('leaving during a file upload asks for confirmation', async ({ signedInPage: page, creator }) => {
  const { id } = await makeOffering(creator.token);
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.route(`${theSystem().minio.publicEndpoint}/**`, () => undefined);
  await page.getByLabel('Downloadable File').setInputFiles(randomFile());
  await expect(page.getByRole('progressbar', { name: 'Upload of the file' })).toBeVisible();
  await page.getByRole('link', { name: 'About Us' }).first().click();
  await expect(page.getByRole('alertdialog', { name: 'Leave without saving?' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay' }).click();
  await expect(page).toHaveURL(`/dashboard/edit-offering/${id}`);
});
