import type { Page } from '@playwright/test';
import { launchOptions } from '../src/chromium.ts';
import { logOut } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

// Playwright disables the back/forward cache, so this file enables it. Its own browser has none and loads the page again. A
// browser named by STOA_CHROMIUM may restore the page unchanged.
test.use({ launchOptions: { ...launchOptions(), ignoreDefaultArgs: ['--disable-back-forward-cache'] } });

const inMenu = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const elsewhere = (page: Page) => page.url().replace('localhost', '127.0.0.1');

/** Records all texts that the header shows from now on, even in a page that the browser restores. */
async function noteHeader(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const shown: string[] = [];
    Object.assign(window, { shown });
    const note = () => {
      if (document.visibilityState === 'visible' && getComputedStyle(document.body).visibility !== 'hidden')
        shown.push(document.querySelector('header nav')?.textContent ?? '');
      requestAnimationFrame(note);
    };
    addEventListener('pageshow', () => {
      shown.length = 0;
    });
    requestAnimationFrame(note);
  });
  return () => page.evaluate(() => (window as unknown as { shown?: string[] }).shown ?? []);
}

test('after a log-out in another tab, going back from another site shows the log-in page', async ({
  dashboardPage: page,
}) => {
  const shown = await noteHeader(page);
  await page.goto(elsewhere(page).replace('/dashboard', '/about'));
  const other = await page.context().newPage();
  await other.goto('/dashboard');
  await logOut(other);
  await other.close();
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect((await shown()).filter((text) => text.includes('Log Out'))).toEqual([]);
});

test('going back after a log-out shows the signed-out header [e2e-56]', async ({ dashboardPage: page }) => {
  await inMenu(page).getByRole('link', { name: 'Dashboard' }).click();
  await inMenu(page).getByRole('link', { name: 'About Us' }).click();
  await logOut(page);
  await page.goBack({ waitUntil: 'commit' });
  await expect(inMenu(page).getByRole('link', { name: 'Log In', exact: true })).toBeVisible();
  await expect(inMenu(page).getByRole('button', { name: 'Log Out' })).toHaveCount(0);
});

test('a page restored from the cache is hidden until the session is checked', async ({
  dashboardPage: page,
}) => {
  const tell = (type: 'pagehide' | 'pageshow') =>
    page.evaluate((name) => void dispatchEvent(new PageTransitionEvent(name, { persisted: true })), type);
  await tell('pagehide');
  await expect(page.getByRole('heading', { level: 1 })).toBeHidden();
  await tell('pageshow');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await tell('pagehide');
  // Simulates a log-out in another tab, of which a page in the cache gets no event.
  await page.evaluate(() => localStorage.setItem('stoa.signed-out', 'by another tab'));
  await tell('pageshow');
  await expect(
    page
      .getByRole('heading', { name: 'Welcome Back' })
      .or(inMenu(page).getByRole('link', { name: 'Log In' }))
      .first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Log Out' })).toHaveCount(0);
});
