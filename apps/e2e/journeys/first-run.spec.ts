import type { BrowserContext, Locator } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeNewcomer, newAccount } from '../src/creators.ts';
import { randomPhoto } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

/** Counts clicks by mouse on all pages of a browser. Clicks by keyboard do not count. */
async function countClicks(context: BrowserContext): Promise<() => number> {
  let clicks = 0;
  await context.exposeFunction('countClick', () => (clicks += 1));
  await context.addInitScript(() => {
    // A label forwards its click to the field; both count as one click. Playwright retries blocked clicks, which it stops
    // before this listener.
    const count = ({ isTrusted }: PointerEvent) => {
      if (isTrusted) void (window as unknown as { countClick: () => void }).countClick();
    };
    addEventListener('pointerdown', count);
  });
  return () => clicks;
}

test('a published offering takes 12 clicks from the home page, in three steps [e2e-84]', async ({
  page,
  context,
}) => {
  // Needs more time, because the whole journey includes eight accessibility checks.
  test.slow();
  const account = newAccount();
  const clicks = await countClicks(context);
  const type = async (...texts: string[]) => {
    for (const [index, text] of texts.entries()) {
      if (index > 0) await page.keyboard.press('Tab');
      await page.keyboard.insertText(text);
    }
  };

  /** Presses Tab until the field has the focus. There may be buttons between, such as 'Show password'. */
  const tabTo = async (field: Locator) => {
    const isThere = () => field.evaluate((element) => element === document.activeElement);
    for (let steps = 0; steps < 12 && !(await isThere()); steps += 1) await page.keyboard.press('Tab');
    await expect(field).toBeFocused();
  };

  await page.goto('/');
  await page.getByRole('link', { name: 'Join Now' }).click();
  await page.getByLabel('Display name').click();
  await type(account.displayName, account.username, account.email);
  await tabTo(page.getByRole('textbox', { name: 'Password', exact: true }));
  await type(account.password);
  await tabTo(page.getByLabel('Confirm password'));
  await type(account.password);
  await page.getByRole('checkbox', { name: /I agree to the Terms of Service/ }).click();
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();

  await expect(page).toHaveURL('/create-profile');
  await expect(page.getByText('Step 1 of 3: Your address')).toBeVisible();
  await expect(page.getByText(`/@${account.username}`)).toBeVisible();
  await expectAccessible(page, 'first-run-address');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Step 2 of 3: You')).toBeFocused();
  await expectAccessible(page, 'first-run-profile');
  await tabTo(page.getByLabel('Bio'));
  await type('Letters for people who still read them slowly, twice.');
  await page.getByRole('checkbox', { name: 'Poet' }).click();
  await page.getByRole('radio', { name: 'A form that relays mail and hides my address' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();

  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Complete your page: 3 of 5' })).toBeVisible();
  await expectAccessible(page, 'first-run-dashboard');
  await page.getByRole('link', { name: 'Add your first offering' }).click();
  await expect(page.getByText('Step 3 of 3: First offering')).toBeVisible();
  const chooser = page.waitForEvent('filechooser');
  await page.getByLabel('Cover Image').click();
  await (await chooser).setFiles(await randomPhoto());
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
  await expectAccessible(page, 'first-run-offering');
  await page.getByLabel('Title').click();
  await type('Letters to the sea');
  await tabTo(page.getByLabel('Price'));
  await type('R150');
  await tabTo(page.getByLabel('Payment Link'));
  await type('https://pay.example.com/letters');
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Your offering is published.')).toBeVisible();
  await expect(page.getByText(/Step \d of 3/)).toHaveCount(0);
  await expect.poll(clicks).toBe(12);

  const { items } = await fetchJson<{ items: { title: string }[] }>(
    'GET',
    `/api/creators/${account.username}/offerings`,
    {},
  );
  expect(items.map(({ title }) => title)).toEqual(['Letters to the sea']);
});

test('the set-up can be skipped and resumed from the dashboard [e2e-85]', async ({ page, context }) => {
  const newcomer = await makeNewcomer();
  await context.setStorageState(newcomer.browserState);
  await page.goto('/create-profile');
  await page.getByRole('link', { name: 'Skip for now' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome to Stoa: 0 of 5' })).toBeVisible();
  await page.getByRole('link', { name: /^Save your profile/ }).click();
  await expect(page).toHaveURL('/create-profile');
  await expect(page.getByText('Step 1 of 3: Your address')).toBeVisible();
});
