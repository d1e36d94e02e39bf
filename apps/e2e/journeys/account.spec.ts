import type { Browser, Page } from '@playwright/test';
import { openAccountRow } from '../src/account-row.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import type { TestCreator } from '../src/creators.ts';
import { logIn, untilPasswordIsRequired } from '../src/sign-in.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const newPassword = 'an even newer one 7';

/** Changes the password on Keycloak's page, which requires the old password first. */
async function choosePassword(page: Page, { password }: TestCreator): Promise<void> {
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a New Password' })).toBeVisible();
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(newPassword);
  await page.getByRole('textbox', { name: /^Confirm/ }).fill(newPassword);
  await page.getByRole('main').locator('[type=submit]').first().click();
}

const safariOnPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

async function signInElsewhere(browser: Browser, creator: TestCreator, userAgent?: string): Promise<Page> {
  const context = await browser.newContext({
    baseURL: theSystem().siteUrl,
    ...(userAgent !== undefined && { userAgent }),
  });
  const page = await context.newPage();
  await page.goto('/login');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
  return page;
}

test('a creator changes the display name on the account page, and visitors see it [e2e-53]', async ({
  signedInPage: page,
  creator: { username, displayName },
}) => {
  await page.goto('/dashboard/account');
  await openAccountRow(page, 'What You Are Called');
  const field = page.getByLabel('Display Name');
  await expect(field).toHaveValue(displayName);
  await field.fill(`${displayName} the second`);
  await page.getByRole('button', { name: 'Save Name' }).click();
  await expect(page.getByText('Your display name has been changed.')).toBeVisible();
  await expectAccessible(page, 'account-display-name');
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${displayName} the second`);
});

test('a creator changes the password from the dashboard and sees the outcome [e2e-54]', async ({
  dashboardPage: page,
  creator,
}) => {
  await page.getByRole('link', { name: 'Account and Security' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Account and Security' })).toBeVisible();
  await expect(page.getByText(`You log in with ${creator.email}`)).toBeVisible();
  await untilPasswordIsRequired();
  await page.getByRole('button', { name: 'Change Password' }).click();
  await choosePassword(page, creator);
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/account');
  await page.context().clearCookies();
  await page.goto('/login');
  await logIn(page, { ...creator, password: newPassword });
  await expect(page).toHaveURL('/dashboard');
});

test('a new password signs out all other browsers', async ({ signedInPage: page, creator, browser }) => {
  test.slow();
  const other = await signInElsewhere(browser, creator);
  await page.goto('/dashboard/account');
  await untilPasswordIsRequired();
  await page.getByRole('button', { name: 'Change Password' }).click();
  await choosePassword(page, creator);
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await other.context().close();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Account and Security' })).toBeVisible();
});

test('a signed-in creator on the forgotten password page chooses a new password', async ({
  signedInPage: page,
  creator,
}) => {
  await untilPasswordIsRequired();
  await page.goto('/forgot-password');
  await choosePassword(page, creator);
  await expect(page).toHaveURL('/dashboard/account');
  await expect(page.getByText('Your password has been changed.')).toBeVisible();
});

test('a creator signs out another browser, then every browser [e2e-55]', async ({
  signedInPage: page,
  creator,
  browser,
}) => {
  const other = await signInElsewhere(browser, creator, safariOnPhone);
  await page.goto('/dashboard/account');
  const sessions = await openAccountRow(page, 'Where You Are Signed In');
  const rows = sessions.getByRole('listitem');
  const [here, there] = [rows.filter({ hasText: 'This browser' }), rows.filter({ hasText: 'Safari on iOS' })];
  await expect(here.getByRole('heading', { name: /^Chrom\w+ on Linux$/ })).toBeVisible();
  await expect(there).toBeVisible();
  await expect(rows).toHaveCount(2);
  await expectAccessible(page, 'account');
  await there.getByRole('button', { name: /^Sign out Safari on iOS, signed in / }).click();
  await expect(there).toHaveCount(0);
  await expect(rows).toHaveCount(1);
  await expect(sessions.getByRole('status')).toHaveText(/^Safari on iOS, signed in .*, is signed out\.$/);
  await expect(sessions.getByRole('heading', { name: 'Where You Are Signed In' })).toBeFocused();
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await other.context().close();

  await sessions.getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});
