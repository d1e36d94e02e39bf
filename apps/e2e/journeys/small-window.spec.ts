import type { Locator, Page } from '@playwright/test';
import { makeCreator, makeFullCreator } from '../src/creators.ts';
import { fillContactForm } from '../src/fill-in.ts';
import { publicRoutes } from '../src/screens/routes.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

// The size of a window of 1280 × 1024 pixels at 400 % zoom (WCAG 1.4.10), on a touchscreen.
test.use({ viewport: { width: 320, height: 256 }, hasTouch: true, isMobile: true });

const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

/** Returns which element covers the centre of the focused element's visible part; empty if none does. */
const focusIsUncovered = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return 'nothing is focused';
    const { left, right, top, bottom } = focused.getBoundingClientRect();
    const middle = (from: number, to: number, most: number) => (Math.max(0, from) + Math.min(most, to)) / 2;
    const found = document.elementFromPoint(
      middle(left, right, innerWidth),
      middle(top, bottom, innerHeight),
    );
    // The label of a radio button or a switch may cover its input.
    const label = focused instanceof HTMLInputElement ? focused.labels?.[0] : undefined;
    const isThere = found && (focused.contains(found) || found.contains(focused) || label?.contains(found));
    return isThere ? '' : `${focused.outerHTML.slice(0, 120)} lies under ${found?.outerHTML.slice(0, 120)}`;
  });

async function tabThrough(page: Page, last: Locator): Promise<void> {
  for (let step = 0; step < 120; step += 1) {
    await page.keyboard.press('Tab');
    expect(await focusIsUncovered(page)).toBe('');
    if (await last.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error('The keyboard does not reach the last control.');
}

test('no public page scrolls horizontally [e2e-159]', async ({ page }) => {
  test.slow();
  const creator = await makeFullCreator();
  for (const { name, path } of publicRoutes(creator)) {
    await page.goto(path);
    await settled(page);
    expect.soft(await width(page), name).toBe(320);
  }
});

test('every entry of the menu works by touch [e2e-160]', async ({ page }) => {
  await page.goto('/about');
  for (const [entry, address] of [
    ['Home', '/'],
    ['Browse Creators', '/browse-creators'],
    ['About Us', '/about'],
  ] as const) {
    await page.getByRole('button', { name: 'Open menu' }).tap();
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry });
    await link.tap();
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Open menu' }).tap();
  const signUp = page.getByRole('link', { name: 'Sign Up' });
  await signUp.scrollIntoViewIfNeeded();
  await expect(signUp).toBeInViewport({ ratio: 1 });
  await signUp.tap();
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible();
  expect(await width(page)).toBe(320);
});

test('a visitor finds a creator by touch: niche, card, profile', async ({ page }) => {
  await makeCreator();
  await page.goto('/browse-creators');
  await page.getByRole('button', { name: 'Poet', exact: true }).tap();
  await expect(page).toHaveURL('/browse-creators?niche=Poet');
  await page.goto('/browse-creators');
  const card = page.getByRole('main').getByRole('article').first();
  const name = await card.getByRole('heading').innerText();
  await card.tap({ position: { x: 30, y: 30 } });
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
});

test('a message can be sent by touch, and no bar covers the focused field', async ({ page }) => {
  await page.goto('/contact');
  await settled(page);
  for (const label of ['Name', 'Email', 'Subject', 'Message']) {
    await page.getByLabel(label).tap();
    await expect(page.getByLabel(label)).toBeFocused();
    expect(await focusIsUncovered(page)).toBe('');
  }
  await fillContactForm(page);
  await page.getByRole('button', { name: 'Send Message' }).tap();
  await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
});

test('no bar covers the keyboard focus in the editors of a creator [e2e-161]', async ({
  signedInPage: page,
}) => {
  test.slow();
  for (const [path, save] of [
    ['/dashboard/edit-profile', 'Save Profile'],
    ['/dashboard/add-offering', 'Create Offering'],
  ] as const) {
    await page.goto(path);
    await settled(page);
    const button = page.getByRole('button', { name: save });
    await expect(button).toBeVisible();
    expect(await width(page)).toBe(320);
    await tabThrough(page, button);
  }
});
