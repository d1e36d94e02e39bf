import { seed } from '@stoa/seed';
import { logIn } from '../src/sign-in.ts';
import { expect, row, test } from '../src/spec-test.ts';
import { theSystem } from '../src/system.ts';

const password = 'columns and columns';

test(
  ...row('d.sample-profile', 'the first creator is seeded; a card of the home page is followed'),
  async ({ page }) => {
    // Needs more time, because it creates the sample creators and uploads their pictures.
    test.slow();
    await seed({ siteUrl: theSystem().siteUrl, password, count: 3, admin: theSystem().keycloak });
    await page.goto('/');
    await page.locator('#featured').getByRole('link', { name: 'View Profile of Amara Okafor' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Amara Okafor' })).toBeVisible();
    await expect(page.getByRole('link', { name: /^Access Now/ }).first()).toBeVisible();

    // Logs in as the sample operator that `npm start` prints. Two sample reports wait.
    await page.goto('/login');
    await logIn(page, { email: 'nandi-reviews@example.com', password });
    await expect(page).toHaveURL('/dashboard');
    await page.getByRole('link', { name: 'Reports' }).click();
    for (const text of ['the picture is not theirs.', 'I paid and do not see what I am to get'])
      await expect(page.getByText(text)).toBeVisible();
  },
);
