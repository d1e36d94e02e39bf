import type { Page } from '@playwright/test';
import { expireSession, logIn } from '../src/sign-in.ts';
import { realmUrl } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const tokens = () => `${realmUrl()}/protocol/openid-connect/token`;
const inMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

/** Lets Keycloak handle the next request for tokens, but drops the response. */
async function loseNextToken(page: Page): Promise<() => number> {
  let lost = 0;
  await page.route(tokens(), async (route) => {
    if (lost > 0) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  return () => lost;
}

test('after a lost token response the log-in can be retried without a reload', async ({ page, creator }) => {
  await page.goto('/dashboard/edit-profile');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  const lost = await loseNextToken(page);
  await logIn(page, creator);
  await expect(page.getByText('An error occurred. Please try again later.')).toBeVisible();
  expect(lost()).toBe(1);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { name: 'Edit Your Profile' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/dashboard/edit-profile');
});

test('a lost response to a token refresh ends no session and loses no input', async ({
  signedInPage: page,
}) => {
  await page.clock.install();
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Typed in a tunnel');
  const lost = await loseNextToken(page);
  await page.clock.fastForward('00:30:00');
  // The first response is dropped, so the second request contains an old token. Keycloak then ends the session, because the
  // token may be stolen.
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect.poll(lost).toBe(1);
  await expect(async () => {
    const save = page.getByRole('button', { name: 'Save Profile' });
    if (await save.isEnabled()) await save.click();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await expect(page.getByText('Your session has ended.')).toHaveCount(0);
});

test('an expired session is reported at the save button, with a button to log in again', async ({
  signedInPage: page,
  creator,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.clock.install();
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Half a sentence');
  await expireSession(page, creator);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(
    page.getByText('Your session has ended. Log in again to save: what you typed is kept.'),
  ).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Log In Again' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Log In Again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(creator.email);
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard/edit-profile');
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');
});

test('a log-in in another tab resumes the session in the first [e2e-158]', async ({
  signedInPage: page,
  creator,
}) => {
  await page.clock.install();
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Half a sentence');
  await expireSession(page, creator);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('button', { name: 'Log In Again' })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/login');
  await logIn(other, creator);
  await expect(other).toHaveURL('/dashboard');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
});

test('leaving a pending redirect to the login cancels it', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(`${realmUrl()}/.well-known/**`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/about');
  const probe = page.waitForRequest(`${realmUrl()}/.well-known/**`);
  await inMenu(page, 'Log In').click();
  await expect(page.getByText('Taking you to log in...')).toBeVisible();
  await probe;
  await inMenu(page, 'Home').click();
  await expect(page).toHaveURL('/');
  held.resolve();
  const left: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && left.push(frame.url()));
  await inMenu(page, 'Browse Creators').click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(left.filter((url) => url.startsWith(realmUrl()))).toEqual([]);
});

test('the return path of an abandoned login is not used by the next one', async ({ page, creator }) => {
  await page.goto('/dashboard/edit-profile');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.goto('/');
  await inMenu(page, 'Log In').click();
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
});

test('the site renders while the session is still being resolved', async ({ signedInPage: page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(`${realmUrl()}/**`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/about');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(inMenu(page, 'Home')).toBeVisible();
  await expect(inMenu(page, 'Log In')).toHaveCount(0);
  await expect(inMenu(page, 'Dashboard')).toHaveCount(0);
  const [room] = await Promise.all([
    page.waitForResponse((response) => /\/assets\/creator-routes-[^/]+\.js/.test(response.url())),
    page.goto('/dashboard'),
  ]);
  expect(room.ok()).toBe(true);
  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.locator('main [data-skeleton]').first()).toBeVisible();
  held.resolve();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});
