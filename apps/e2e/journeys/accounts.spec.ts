import type { Page } from '@playwright/test';
import { anAccount } from '../src/creators.ts';
import { deleteAccount } from '../src/keycloak-admin.ts';
import { isTo, mailThat } from '../src/mail-catcher.ts';
import { logIn, logOut, register } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

const wrong = 'Invalid email or password. Please try again.';

test('a wrong password and an unknown address get the same words', async ({ page, creator }) => {
  await page.goto('/login');
  await logIn(page, { email: creator.email, password: 'not this one' });
  await expect(page.getByText(wrong)).toBeVisible();
  await logIn(page, { email: 'nobody@example.test', password: 'not this one' });
  await expect(page.getByText(wrong)).toBeVisible();
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
});

test('the guard sends to the login page and back to where one was going', async ({ page, creator }) => {
  await page.goto('/dashboard/edit-profile?from=mail');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard/edit-profile?from=mail');
  await expect(page.getByRole('heading', { name: 'Edit Your Profile' })).toBeVisible();
});

test('a reload keeps the session, and logging out ends it', async ({ signedInPage: page }) => {
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  await logOut(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test('a signed-in creator who opens the login page is already there', async ({ signedInPage: page }) => {
  await page.goto('/login');
  await expect(page).toHaveURL('/dashboard');
});

test.describe('registration', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/signup');
  });

  test('refuses a password of seven characters and takes one of eight', async ({ page }) => {
    const account = { ...anAccount(), password: 'seven77' };
    await register(page, account);
    await expect(page.getByText('Password must be at least 8 characters long.')).toBeVisible();
    await register(page, { ...account, password: 'eight888' });
    await expect(page).toHaveURL('/create-profile');
  });

  test('refuses passwords that differ', async ({ page }) => {
    await register(page, { ...anAccount(), passwordConfirm: 'something else' });
    await expect(page.getByText('Passwords do not match.')).toBeVisible();
  });

  test('refuses somebody who does not agree to the terms', async ({ page }) => {
    await register(page, { ...anAccount(), agree: false });
    await expect(
      page.getByText('You must agree to the Terms of Service and Community Guidelines.'),
    ).toBeVisible();
  });

  test('refuses an address and a username that somebody has', async ({ page, creator }) => {
    await register(page, { ...anAccount(), email: creator.email.toUpperCase() });
    await expect(page.getByText('This email is already in use. Please log in instead.')).toBeVisible();
    for (const username of [creator.username, creator.username.toUpperCase()]) {
      await register(page, { ...anAccount(), username });
      await expect(
        page.getByText('This username is already taken. Please choose another one.'),
      ).toBeVisible();
    }
  });

  test('refuses usernames that break the rules', async ({ page }) => {
    for (const username of ['no', 'with space', 'dashboard', 'ADMIN', 'ünïcode']) {
      await register(page, { ...anAccount(), username });
      await expect(page.getByText(/Use 3 to 30 lowercase letters/)).toBeVisible();
    }
  });

  test('refuses an address that is none', async ({ page }) => {
    await register(page, { ...anAccount(), email: 'not-an-address' });
    await expect(page.getByText('The email address is not valid.')).toBeVisible();
  });
});

test('an account whose username belongs to another profile is told so, in every room', async ({
  page,
  creator,
}) => {
  await deleteAccount(creator.uid);
  await page.goto('/signup');
  await register(page, { ...anAccount(), username: creator.username });
  const refused = page.getByRole('heading', { name: 'Your account could not be opened.' });
  await expect(refused).toBeVisible();
  await page.goto('/dashboard');
  await expect(refused).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Contact us' }).click();
  await expect(page).toHaveURL('/contact');
  await logOut(page);
});

async function askForReset(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password');
  await expect(page.getByRole('heading', { name: 'Forgot Your Password?' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(
    page.getByText(
      'If an account with that email exists, a password reset link has been sent. Please check your inbox (and spam folder!).',
    ),
  ).toBeVisible();
}

test('a forgotten password is reset by mail, to the end', async ({ page, creator }) => {
  await askForReset(page, creator.email);
  const mail = await mailThat(isTo(creator.email));
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
  await expect(page).toHaveURL('/dashboard');
  await logOut(page);
  await page.goto('/login');
  await logIn(page, creator);
  await expect(page.getByText(wrong)).toBeVisible();
  await logIn(page, { ...creator, password: 'an even newer one' });
  await expect(page).toHaveURL('/dashboard');
});

test('asking for the reset of an unknown address tells nothing', async ({ page }) => {
  await askForReset(page, 'nobody-at-all@example.test');
});
