import { seed } from '@stoa/seed';
import { expect, row, test } from '../src/spec-test.ts';
import { theSystem } from '../src/system.ts';

test(
  ...row('d.sample-profile', 'the first creator is seeded; a card of the home page is followed'),
  async ({ page }) => {
    // Seeding draws and uploads every picture of the creator.
    test.slow();
    await seed({ siteUrl: theSystem().siteUrl, password: 'columns and columns', count: 1 });
    await page.goto('/');
    await page.locator('#featured').getByRole('link', { name: 'View Profile of Amara Okafor' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Amara Okafor' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Access Now/ }).first()).toBeVisible();
  },
);
