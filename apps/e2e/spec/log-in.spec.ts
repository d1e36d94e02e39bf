import type { Page } from '@playwright/test';
import { isPasswordResetTo, waitForMail } from '../src/mail-catcher.ts';
import { newAccount } from '../src/creators.ts';
import { logIn, logOut, register } from '../src/sign-in.ts';
import { expect, lines, residentTest, row, rows, test } from '../src/spec-test.ts';

const inMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });

test(
  ...rows({
    '8.login.user-not-found': 'an unknown email',
    '8.login.wrong-password': 'a known email with a wrong password',
    '8.login.invalid-credential': 'no password at all',
    '7.auth.sign-in': 'a creator logs in after a try with a wrong password',
    '4.log-in': 'a creator logs in',
  }),
  async ({ page, creator }) => {
    const password = 'not this one';
    await page.goto('/login');
    for (const [line, account] of [
      ['8.login.user-not-found', { email: 'nobody@example.test', password }],
      ['8.login.invalid-credential', { email: creator.email, password: '' }],
      ['8.login.wrong-password', { email: creator.email, password }],
    ] as const) {
      await logIn(page, account);
      await expect(page.getByText(lines[line], { exact: true })).toBeVisible();
    }
    await logIn(page, creator);
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await expect(page.getByText(`@${creator.username}`)).toBeVisible();
  },
);

test(...row('4.signed-in', 'a visitor signs up, leaves, and logs in'), async ({ page }) => {
  const account = newAccount();
  const logOutButton = page.getByRole('button', { name: 'Log Out' });
  await page.goto('/');
  await expect(inMenu(page, 'Sign Up')).toBeVisible();
  await expect(logOutButton).toHaveCount(0);
  await inMenu(page, 'Sign Up').click();
  await register(page, account);
  await expect(logOutButton).toBeVisible();
  await logOut(page);
  await inMenu(page, 'Log In').click();
  await logIn(page, account);
  await expect(logOutButton).toBeVisible();
  await expect(inMenu(page, 'Log In')).toHaveCount(0);
});

test(...row('d.guard.return', 'a creator who opened a guarded page logs in'), async ({ page, creator }) => {
  await page.goto('/dashboard/edit-profile?from=mail');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard/edit-profile?from=mail');
  await expect(page.getByRole('heading', { name: 'Edit Your Profile' })).toBeVisible();
});

test(
  ...rows({
    '4.log-out': 'a creator logs out',
    '2.header.log-out': 'a signed-in creator presses Log Out',
    '7.auth.sign-out': 'a creator logs out; the session is gone at Keycloak too',
    '7.auth.listener': 'a creator with two tabs logs out in one',
  }),
  async ({ dashboardPage: page }) => {
    const other = await page.context().newPage();
    await other.goto('/about');
    await expect(inMenu(other, 'Dashboard')).toBeVisible();
    await expect(inMenu(page, 'Dashboard')).toBeVisible();
    await logOut(page);
    await expect(inMenu(page, 'Dashboard')).toHaveCount(0);
    await expect(inMenu(other, 'Log In')).toBeVisible();
    await expect(inMenu(other, 'Dashboard')).toHaveCount(0);
    for (const guarded of ['/login', '/dashboard']) {
      await page.goto(guarded);
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    }
  },
);

residentTest(...row('3.user', 'a signed-in creator reloads'), async ({ page, resident }) => {
  await page.goto('/dashboard');
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: resident.displayName })).toBeVisible();
  await page.goto('/login');
  await expect(page, 'the login page recognizes the session').toHaveURL('/dashboard');
});

async function askForReset(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password');
  await expect(page.getByRole('heading', { name: 'Forgot Your Password?' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
}

test(
  ...rows({
    '8.forgot.no-address': 'the field stays empty',
    '8.forgot.success': 'a known and an unknown email',
    '7.auth.reset': 'the mail arrives and its link leads to a new password that works',
  }),
  async ({ page, creator }) => {
    for (const [email, line] of [
      ['', '8.forgot.no-address'],
      ['nobody-at-all@example.test', '8.forgot.success'],
      [creator.email, '8.forgot.success'],
    ] as const) {
      await askForReset(page, email);
      await expect(page.getByText(lines[line], { exact: true })).toBeVisible();
    }
    const mail = await waitForMail(isPasswordResetTo(creator.email));
    const link = /https?:\/\/\S+login-actions\/action-token\S+/.exec(mail.text)?.[0];
    expect(link, mail.text).toBeDefined();
    await page.goto(link ?? '');
    await expect(page.getByRole('heading', { name: 'Choose a New Password' })).toBeVisible();
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill('an even newer one');
    await page.getByRole('textbox', { name: /^Confirm/ }).fill('an even newer one');
    await page
      .getByRole('main')
      .getByRole('button', { name: /Continue|Save|Submit/ })
      .click();
    await expect(page.getByRole('heading', { name: 'All Done' })).toBeVisible();
    await page.goto('/login');
    await logIn(page, creator);
    await expect(page.getByText('Invalid email or password. Please try again.')).toBeVisible();
    await logIn(page, { ...creator, password: 'an even newer one' });
    await expect(page).toHaveURL('/dashboard');
  },
);
