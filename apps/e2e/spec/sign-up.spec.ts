import type { Page } from '@playwright/test';
import { anAccount } from '../src/creators.ts';
import { register } from '../src/sign-in.ts';
import { expect, row, test } from '../src/spec-test.ts';

test(...row('5.signup.hint', 'the form is opened'), async ({ lookAsVisitor }) => {
  const page = await lookAsVisitor('/signup');
  await expect(page.getByText('No spaces or special characters.', { exact: true })).toBeVisible();
});

test.describe('the form, sent', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/signup');
  });

  /** Sends the form with one thing wrong, and expects these words and to be still there. */
  async function expectRefused(
    page: Page,
    wrong: Parameters<typeof register>[1],
    words: string,
  ): Promise<void> {
    await register(page, wrong);
    await expect(page.getByText(words, { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign Up', exact: true })).toBeVisible();
  }

  test(...row('5.signup.mismatch', 'two passwords that differ'), async ({ page, words }) => {
    await expectRefused(page, { ...anAccount(), passwordConfirm: 'something else' }, words);
  });

  test(...row('5.signup.password-length', 'a short password'), async ({ page, words }) => {
    await expectRefused(page, { ...anAccount(), password: 'short' }, words);
  });

  test(...row('5.signup.terms', 'the checkbox stays empty'), async ({ page, words }) => {
    await expectRefused(page, { ...anAccount(), agree: false }, words);
  });

  test(...row('5.signup.display-name', 'the field stays empty'), async ({ page }) => {
    await expectRefused(page, { ...anAccount(), displayName: '' }, 'Please fill in this field.');
  });

  test(...row('5.signup.username', 'the field stays empty'), async ({ page }) => {
    await expectRefused(page, { ...anAccount(), username: '' }, 'Please choose a username.');
  });

  test(...row('5.signup.email', 'the field stays empty'), async ({ page }) => {
    await expectRefused(page, { ...anAccount(), email: '' }, 'Please enter your email.');
  });

  test(...row('5.signup.password', 'both fields stay empty'), async ({ page }) => {
    await expectRefused(page, { ...anAccount(), password: '' }, 'Please choose a password.');
  });

  test(...row('9.password.7', 'a password of seven characters'), async ({ page }) => {
    const words = 'Password must be at least 8 characters long.';
    await expectRefused(page, { ...anAccount(), password: 'seven77' }, words);
  });

  test(...row('9.password.8', 'a password of eight characters'), async ({ page }) => {
    await register(page, { ...anAccount(), password: 'eight888' });
    await expect(page).toHaveURL('/create-profile');
  });

  test(
    ...row('8.signup.email-in-use', 'the email of somebody, in capitals'),
    async ({ page, resident, words }) => {
      await expectRefused(page, { ...anAccount(), email: resident.email.toUpperCase() }, words);
    },
  );

  test(...row('8.signup.invalid-email', 'an email that is none'), async ({ page, words }) => {
    await expectRefused(page, { ...anAccount(), email: 'not-an-address' }, words);
  });

  const usernameRules =
    'Use 3 to 30 lowercase letters, numbers, hyphens or underscores. Some names are reserved.';

  test(
    ...row('d.username.rules', 'names too short, with a space, with an accent; a 31st letter is not taken'),
    async ({ page }) => {
      for (const username of ['no', 'with space', 'ünïcode']) {
        await expectRefused(page, { ...anAccount(), username }, usernameRules);
      }
      await page.getByLabel('Username').fill('n'.repeat(31));
      await expect(page.getByLabel('Username')).toHaveValue('n'.repeat(30));
    },
  );

  test(...row('d.username.reserved', 'the name of a page of the site'), async ({ page }) => {
    await expectRefused(page, { ...anAccount(), username: 'dashboard' }, usernameRules);
  });

  test(...row('d.username.unique', 'the name of somebody, also in capitals'), async ({ page, resident }) => {
    const words = 'This username is already taken. Please choose another one.';
    for (const username of [resident.username, resident.username.toUpperCase()]) {
      await expectRefused(page, { ...anAccount(), username }, words);
    }
  });

  test(...row('4.sign-up', 'a visitor signs up'), async ({ page }) => {
    await register(page, anAccount());
    await expect(page).toHaveURL('/create-profile');
  });

  test(...row('7.auth.create', 'a visitor signs up, leaves and comes back'), async ({ page }) => {
    const account = anAccount();
    await register(page, account);
    await expect(page.getByLabel('Display Name')).toHaveValue(account.displayName);
    await page.goto('/');
    await page.goto('/dashboard/edit-profile');
    await expect(page.getByLabel('Display Name')).toHaveValue(account.displayName);
  });
});
