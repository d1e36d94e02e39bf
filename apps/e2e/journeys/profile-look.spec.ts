import type { Creator } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';
import { randomPhoto } from '../src/pictures.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

const bio = 'Essays and poems about rivers, memory and starting over.\nI answer every letter by hand.';

/** How far what was there already moved while the page came. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );

test('a creator gives the profile a header picture, seen at once in the preview, and removes it', async ({
  creator: { token, username, displayName },
  signedInPage: page,
}) => {
  const { id: profileImageId } = await upload(token, 'profile-picture');
  await saveProfile(token, { displayName, bio, niches: ['Writer', 'Poet'], profileImageId });
  await makeOffering(token, { title: 'What the River Kept' });
  const own = () => fetchJson<Creator>('GET', '/api/me', { token });

  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Header Picture').setInputFiles(await randomPhoto({ width: 1500, height: 1100 }));
  await expect(page.getByRole('button', { name: 'Remove header picture' })).toBeVisible();
  await expect(page.getByRole('figure').locator('img[src*="/header_"]')).toBeVisible();
  await expectAccessible(page, 'profile editor with a header');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  const { headerImage } = await own();
  expect(headerImage).toMatchObject({ widths: [480, 800, 1200], width: 1200, height: 400 });

  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/profile/${username}`);
    await settled(page);
    expect(await layoutShift(page)).toBe(0);
  }
  const header = page.locator(`img[src*="${headerImage?.path}"]`);
  await expect(header).toBeInViewport();
  await expect(header).toHaveAttribute('alt', '');
  await expectAccessible(page, 'profile with a header');

  await page.goto('/dashboard/edit-profile');
  await page.getByRole('button', { name: 'Remove header picture' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  expect(await own()).toMatchObject({ headerImage: null, profileImage: { id: profileImageId } });
});

test('on a phone the first payment link is on the first screen, also below a header picture', async ({
  page,
}) => {
  const { token, username } = await makeCreator();
  const { id: profileImageId } = await upload(token, 'profile-picture');
  const { id: headerImageId } = await upload(token, 'profile-header');
  const pictures = { profileImageId, headerImageId };
  await saveProfile(token, { displayName: 'Amara Okafor', bio, niches: ['Writer', 'Poet'], ...pictures });
  await makeOffering(token, { title: 'What the River Kept', description: 'Fourteen essays on floods.' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole('img', { name: 'Amara Okafor' })).toBeInViewport();
  await expect(page.locator('img[src*="/header_"]')).toBeInViewport();
  const buy = await page.getByRole('link', { name: /^Access Now/ }).boundingBox();
  expect((buy?.y ?? Infinity) + (buy?.height ?? 0)).toBeLessThanOrEqual(640);
});
