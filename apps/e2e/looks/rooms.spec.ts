import type { Page } from '@playwright/test';
import { makeCreator, makeNewcomer, makeOffering, saveProfile, type TestCreator } from '../src/creators.ts';
import { expectStill } from '../src/layout-shifts.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { phone } from '../src/screens/screen.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

/** Creates a creator with four offerings, one of which has a link for buyers. */
async function makeShop(): Promise<TestCreator> {
  const creator = await makeCreator();
  await verifyEmail(creator);
  const { displayName, token } = creator;
  await saveProfile(token, { displayName, bio: 'Letters for people who read slowly.', niches: ['Poet'] });
  await makeOffering(token, { title: 'Letters', deliveryText: 'Hello' });
  await makeOffering(token, { title: 'A draft of a longer title than a phone can show', state: 'draft' });
  await makeOffering(token, { title: 'Postcards', state: 'sold_out', deliveryText: 'Hello' });
  await makeOffering(token, { title: 'Paper' });
  return creator;
}

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);
const highestRow = (page: Page) =>
  page
    .locator('#my-offerings ~ ul > li')
    .evaluateAll((rows) => Math.max(...rows.map((row) => row.getBoundingClientRect().height)));

test('on a desk the way to a new offering is at the top, and rows are low [e2e-191]', async ({
  context,
  page,
}) => {
  await context.setStorageState((await makeShop()).browserState);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/dashboard');
  await settled(page);
  const add = await page.getByRole('link', { name: 'Add New Offering' }).boundingBox();
  expect(add?.y).toBeLessThanOrEqual(160);
  expect(await highestRow(page)).toBeGreaterThan(40);
  expect(await highestRow(page)).toBeLessThanOrEqual(72);
});

test('on a phone the rooms have tabs, rows with a menu, and short pages [e2e-192]', async ({
  context,
  page,
}) => {
  await context.setStorageState((await makeShop()).browserState);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: phone, height: 740 });
  await page.goto('/dashboard');
  await settled(page);
  expect(await highestRow(page)).toBeLessThanOrEqual(96);
  expect(await heightOf(page)).toBeLessThanOrEqual(1600);
  await page.getByRole('button', { name: 'Copy delivery link of Letters' }).click();
  await expect(page.getByText('Delivery link copied.').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/download/');

  const tabs = page.getByRole('navigation', { name: 'Your rooms' });
  await expect(tabs.getByRole('link')).toHaveText([
    'Dashboard',
    'Offerings',
    'Add New Offering',
    'Numbers',
    'Sales',
    'Page',
  ]);
  await expect(tabs).toBeInViewport({ ratio: 1 });
  await tabs.getByRole('link', { name: 'Offerings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your Offerings (4)' })).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Your Offerings (4)' })).toBeFocused();
  await tabs.getByRole('link', { name: 'Page' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Your Profile' })).toBeVisible();
  await expect(tabs.getByRole('link', { name: 'Page' })).toHaveAttribute('aria-current', 'page');
  // The buttons of the form stand above the tabs.
  const save = await page.getByRole('button', { name: 'Save Profile' }).boundingBox();
  const below = await tabs.boundingBox();
  expect((save?.y ?? Infinity) + (save?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
  await tabs.getByRole('link', { name: 'Offerings', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your Offerings (4)' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'Your Offerings (4)' })).toBeInViewport();
  await tabs.getByRole('link', { name: 'Numbers' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Numbers' })).toBeVisible();
  await tabs.getByRole('link', { name: 'Add New Offering' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Add New Offering' })).toBeVisible();

  await page.goto('/dashboard/account');
  await settled(page);
  expect(await heightOf(page)).toBeLessThanOrEqual(1900);
});

/** The reads that decide what the dashboard shows. */
const reads = ['me', 'me/offerings', 'me/takedowns', 'me/link-health', 'me/numbers?days=14'];

for (const width of [phone, 1280])
  for (const [who, make] of [
    ['a newcomer', makeNewcomer],
    ['a creator with offerings', makeShop],
    ['a creator with an unproved address', () => makeCreator()],
  ] satisfies [string, () => Promise<TestCreator>][])
    test(`the dashboard of ${who} keeps still while it loads, at ${width} px`, async ({ context, page }) => {
      // Loads the page once for each read.
      test.slow();
      await context.setStorageState((await make()).browserState);
      await page.setViewportSize({ width, height: 740 });
      for (const late of [undefined, ...reads]) {
        const release = Promise.withResolvers<void>();
        const isLate = (url: URL) => url.pathname + url.search === `/api/${late}`;
        await page.route(isLate, async (route) => {
          await release.promise;
          await route.continue();
        });
        await page.goto('/dashboard');
        if (late) {
          // Appears even if a read hangs.
          await expect(page.getByRole('heading', { name: /^Your Offerings/ })).toBeVisible();
          release.resolve();
        }
        await expect(page.getByRole('heading', { name: /^Your Offerings \(\d\)/ })).toBeVisible();
        await settled(page);
        await expectStill(page, late ?? 'nothing is late', 0.1);
        await page.unroute(isLate);
      }
    });
