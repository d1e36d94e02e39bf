import type { Page } from '@playwright/test';
import { expect, test } from '../src/test.ts';

// A chunk that is gone, as one of a release that nobody runs any more: the next page that comes has others.

/** Loses code so many times, and counts how often it was asked for. */
async function lose(page: Page, chunk: string, times = Infinity): Promise<{ asked: () => number }> {
  let asked = 0;
  await page.route(`**/assets/${chunk}-*.js`, async (route) => {
    asked += 1;
    if (asked <= times) await route.fulfill({ status: 404, body: '' });
    else await route.continue();
  });
  return { asked: () => asked };
}

test('a page whose chunk is gone is loaded anew and comes up', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
  const { asked } = await lose(page, 'terms-page', 1);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms of Service' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /terms of service/i })).toBeVisible();
  await expect(page).toHaveURL('/terms-of-service');
  await expect.poll(asked).toBeGreaterThan(1);
  await expect(page.getByText('This page could not be shown.')).toHaveCount(0);
});

test('a page whose chunk stays away is loaded anew once, and says so with a way to try again', async ({
  page,
}) => {
  let loads = 0;
  page.on('request', (request) => (loads += Number(request.isNavigationRequest())));
  const lost = await lose(page, 'not-found-page', Infinity);
  await page.goto('/no-such-page');
  await expect(page.getByRole('heading', { name: 'This page could not be shown.' })).toBeVisible();
  expect(loads).toBe(2);
  expect(lost.asked()).toBeGreaterThan(0);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This page is a ruin.' })).toBeVisible();
});

test('a page whose first script is gone is loaded anew once', async ({ page }) => {
  const { asked } = await lose(page, 'base', 1);
  await page.goto('/about');
  await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
  expect(asked()).toBeGreaterThan(1);
});

test('what is typed is kept when the code of the page that was gone to is lost', async ({
  dashboardPage: page,
}) => {
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Half a sentence');
  const { asked } = await lose(page, 'about-page', 1);
  const asking: string[] = [];
  page.on('dialog', (dialog) => {
    asking.push(dialog.type());
    void dialog.accept();
  });
  await page
    .getByRole('contentinfo')
    .getByRole('link', { name: /^About/ })
    .click();
  await page
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: /^A roof over the work/ })).toBeVisible();
  await expect.poll(asked).toBeGreaterThan(1);
  await page.goBack();
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');
  await expect(page.getByText('What you typed before is here again.')).toBeVisible();
  expect(asking).toEqual([]);
});
