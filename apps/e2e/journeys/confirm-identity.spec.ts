import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { logIn, untilPasswordIsRequired } from '../src/sign-in.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

test.describe.configure({ timeout: 180_000 });

const main = (page: Page) => page.getByRole('main');
const title = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible();
const linkIn = (text: string) => /https?:\/\/\S+action-token\S+/.exec(text)?.[0] ?? '';

async function open(page: Page, button: string): Promise<void> {
  await page.goto('/dashboard/account');
  await untilPasswordIsRequired();
  await page.getByRole('button', { name: button }).click();
}

async function confirm(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

/** Opens Keycloak's form for a new email address. */
async function openEmailForm(page: Page, { password }: { readonly password: string }): Promise<void> {
  await open(page, 'Change Email');
  await title(page, 'Confirm that it is you to change your email');
  await confirm(page, password);
  await title(page, 'Change Your Email');
}

test('the page for another log-in names its reason and the account [e2e-65]', async ({
  signedInPage: page,
  creator,
}) => {
  await open(page, 'Change Password');
  for (let tries = 0; tries < 2; tries += 1) {
    await title(page, 'Confirm that it is you to change your password');
    await expect(page.getByLabel('Account', { exact: true })).toHaveValue(
      new RegExp(`^(${creator.username}|${creator.email})$`),
    );
    await expect(main(page).getByText('New to Stoa?')).toHaveCount(0);
    await expect(main(page).getByText('Please re-authenticate to continue')).toHaveCount(0);
    await expectAccessible(page, 'confirm identity');
    await confirm(page, 'not this one');
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible();
  }
  await confirm(page, creator.password);
  await title(page, 'Choose a New Password');
});

test('a log-in permits additions for minutes, but no new email address [e2e-66]', async ({
  signedInPage: page,
  creator,
}) => {
  await open(page, 'Add a Passkey');
  await title(page, 'Add a Passkey');
  await open(page, 'Make Codes');
  await title(page, 'Your Recovery Codes');
  for (let times = 0; times < 2; times += 1) await openEmailForm(page, creator);
});

test('a change of email confirmed in another browser is explained at the next log-in [e2e-67]', async ({
  signedInPage: page,
  creator,
  browser,
}) => {
  const email = `moved-${creator.email}`;
  await openEmailForm(page, creator);
  await page.getByLabel('Email').fill(email);
  await main(page).locator('[type=submit]').first().click();
  await title(page, 'Check Your Inbox');
  const { text } = await waitForMail(isTo(email));
  const context = await browser.newContext({ baseURL: theSystem().siteUrl });
  const other = await context.newPage();
  await other.goto(linkIn(text));
  await title(other, 'Email Changed');
  await context.close();

  await page.goto('/dashboard');
  await title(page, 'Welcome Back');
  await expect(page.getByText('If you have confirmed a new email, log in with the new one.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('');
  await expectAccessible(page, 'log-in after a change of email');
  await logIn(page, { ...creator, email });
  await expect(page).toHaveURL('/dashboard');
});

test('the page after confirming an email names it and links to the dashboard [e2e-68]', async ({
  dashboardPage: page,
  creator,
}) => {
  await page.getByRole('button', { name: 'Send the Mail Again' }).click();
  const { text } = await waitForMail(isTo(creator.email));
  await page.goto(linkIn(text));
  // Opening the link confirms nothing until the user clicks, because mail scanners open links too.
  await title(page, 'Confirm Your Email');
  await main(page).getByRole('link', { name: 'Continue' }).click();
  await title(page, 'Email Confirmed');
  await expect(main(page).getByText('Your email is confirmed.')).toBeVisible();
  await expectAccessible(page, 'email confirmed');
  await main(page).getByRole('link', { name: 'Go to the Dashboard' }).click();
  await title(page, 'Dashboard');
});
