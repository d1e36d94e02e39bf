import type { Creator } from '@stoa/contracts';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { randomPhoto } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

const twoMegabytes = 2 * 1024 * 1024;
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Crop Your Picture' });
const box = (dialog: Locator) => dialog.getByRole('application', { name: 'What is shown of the picture' });
const current = (page: Page) => page.getByRole('img', { name: 'Current picture' });

/** A picture with a red left half and a blue right half. The file is too large for an upload. */
async function halves(width: number, height: number, orientation = 1) {
  const half = { width: width / 2, height, channels: 3 as const };
  const blue = await sharp({ create: { ...half, background: '#0000ff' } })
    .png()
    .toBuffer();
  const buffer = await sharp({ create: { width, height, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: width / 2, top: 0 }])
    .withMetadata({ orientation })
    .jpeg()
    .toBuffer();
  return { name: 'halves.jpg', mimeType: 'image/jpeg', buffer };
}

/** The upload request that the page sends because of `act`. */
async function sent(page: Page, act: () => Promise<void>) {
  const asked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/uploads'),
  );
  await act();
  return (await asked).postDataJSON() as { size: number; contentType: string; filename: string };
}

test('a photo that is too large opens the cropper, which reduces it [e2e-70]', async ({
  signedInPage: page,
  creator,
}) => {
  await page.goto('/dashboard/edit-profile');
  const field = page.getByLabel('Profile Picture');
  const photo = await randomPhoto({ width: 4000, height: 3000 });
  const tooLarge = { ...photo, buffer: Buffer.concat([photo.buffer, Buffer.alloc(twoMegabytes)]) };
  await field.setInputFiles(tooLarge);
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('slider', { name: 'Zoom' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Use Picture' })).toBeEnabled();
  await expectAccessible(page, 'crop dialog');

  // Cancelling shows the usual error about the size and returns the focus to the field.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(field).toBeFocused();
  await expect(page.getByRole('alert').getByText('Profile picture must be smaller than 2MB.')).toBeVisible();

  await field.setInputFiles(tooLarge);
  await expect(dialog.getByRole('button', { name: 'Use Picture' })).toBeEnabled();
  await box(dialog).focus();
  await page.keyboard.press('+');
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByRole('slider', { name: 'Zoom' })).toHaveValue('1.1');
  const { size, contentType, filename } = await sent(page, () =>
    dialog.getByRole('button', { name: 'Use Picture' }).click(),
  );
  expect(size).toBeLessThan(twoMegabytes);
  expect([contentType, filename.replace(/^.*\./, '')]).toEqual(['image/webp', 'webp']);
  await expect(current(page)).toBeVisible();
  await page.getByRole('radio', { name: 'Show my email address' }).check();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  const { profileImage } = await fetchJson<Creator>('GET', '/api/me', { token: creator.token });
  expect(profileImage?.width).toBe(profileImage?.height);
});

test('a rotated photo is cropped to the visible part [e2e-71]', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/add-offering');
  // Orientation 6 rotates the picture: upright it has 800 × 1600 pixels, red at the top and blue at the bottom.
  await page.getByLabel('Cover Image').setInputFiles(await halves(1600, 800, 6));
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('button', { name: 'Use Picture' })).toBeEnabled();
  const shown = await dialog.locator('img').evaluate((image: HTMLImageElement) => ({
    width: image.naturalWidth,
    height: image.naturalHeight,
  }));
  expect(shown).toEqual({ width: 800, height: 1600 });
  const { x, y, width, height } = (await box(dialog).boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2 + 600, { steps: 4 });
  await page.mouse.up();
  await dialog.getByRole('button', { name: 'Use Picture' }).click();
  await expect(current(page)).toBeVisible();
  const shownFile = () => current(page).evaluate((image: HTMLImageElement) => image.currentSrc);
  // Chromium sets `currentSrc` only when it knows the size of the picture.
  await expect.poll(shownFile).not.toBe('');
  const answer = await page.request.get(await shownFile());
  const picture = sharp(await answer.body());
  const saved = await picture.metadata();
  expect(saved.width / saved.height).toBeCloseTo(1.5, 1);
  expect(saved.width).toBeLessThanOrEqual(800);
  // The crop shows the top of the picture, which is red.
  const { dominant } = await picture.stats();
  expect(dominant.r).toBeGreaterThan(200);
  expect(dominant.b).toBeLessThan(60);
});

test('a cancelled crop keeps the previous picture', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  const field = page.getByLabel('Header Picture');
  await field.setInputFiles(await randomPhoto({ width: 1500, height: 500 }));
  await expect(current(page)).toBeVisible();
  const before = await current(page).getAttribute('src');
  await field.setInputFiles(await randomPhoto({ width: 1500, height: 1100 }));
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialogOf(page)).toBeHidden();
  await expect(current(page)).toHaveAttribute('src', before ?? '');
});

test('the cropper reduces a photo of 48 megapixels [e2e-72]', async ({ signedInPage: page }) => {
  const flat = { width: 8064, height: 6048, channels: 3 as const, background: '#336699' };
  const buffer = await sharp({ create: flat, limitInputPixels: false }).jpeg().toBuffer();
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Profile Picture').setInputFiles({ name: '48.jpg', mimeType: 'image/jpeg', buffer });
  const dialog = dialogOf(page);
  await expect(dialog.getByRole('button', { name: 'Use Picture' })).toBeEnabled({ timeout: 60_000 });
  const pixels = await dialog
    .locator('img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth * image.naturalHeight);
  expect(pixels).toBeLessThan(12_100_000);
  await dialog.getByRole('button', { name: 'Use Picture' }).click();
  await expect(current(page)).toBeVisible();
});
