import type { Page } from '@playwright/test';
import { newAccount } from '../src/creators.ts';
import { register, type Registration } from '../src/sign-in.ts';
import { expect, lines, row, rows, test } from '../src/spec-test.ts';

test(...row('5.signup.hint', 'the form is opened'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/signup');
  await expect(page.getByText('No spaces or special characters.', { exact: true })).toBeVisible();
});

/** Submits the form with one invalid value, and expects this message on the same page. */
async function expectRefused(page: Page, wrong: Partial<Registration>, words: string): Promise<void> {
  await register(page, { ...newAccount(), ...wrong });
  await expect(page.getByText(words, { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign Up', exact: true })).toBeVisible();
}

test(
  ...rows({
    '5.signup.display-name': 'the field stays empty',
    '5.signup.username': 'the field stays empty',
    '5.signup.email': 'the field stays empty',
    '5.signup.password': 'both fields stay empty',
    '5.signup.terms': 'the checkbox stays empty',
  }),
  async ({ page }) => {
    await page.goto('/signup');
    await expectRefused(page, { displayName: '' }, 'Please fill in this field.');
    await expectRefused(page, { username: '' }, 'Please choose a username.');
    await expectRefused(page, { email: '' }, 'Please enter your email.');
    await expectRefused(page, { password: '' }, 'Please choose a password.');
    await expectRefused(page, { agree: false }, lines['5.signup.terms']);
  },
);

test(
  ...rows({
    '5.signup.mismatch': 'two passwords that differ',
    '5.signup.password-length': 'a short password',
    '8.signup.invalid-email': 'an invalid email',
    '8.signup.email-in-use': 'the email of another account in capitals',
    '9.password.7': 'a password of seven characters',
  }),
  async ({ page, resident }) => {
    await page.goto('/signup');
    await expectRefused(page, { passwordConfirm: 'something else' }, lines['5.signup.mismatch']);
    await expectRefused(page, { password: 'short' }, lines['5.signup.password-length']);
    await expectRefused(page, { email: 'not-an-address' }, lines['8.signup.invalid-email']);
    const email = resident.email.toUpperCase();
    await expectRefused(page, { email }, lines['8.signup.email-in-use']);
    await expectRefused(page, { password: 'seven77' }, 'Password must be at least 8 characters long.');
  },
);

test(
  ...rows({
    'd.username.rules': 'names too short, too long, with a space, with an accent',
    'd.username.unique': 'the username of another account, also in capitals',
    'd.username.reserved': 'the name of a page of the site',
  }),
  async ({ page, resident }) => {
    const rules = 'Use 3 to 30 lowercase letters, numbers, hyphens or underscores. Some names are reserved.';
    const taken = 'This username is already taken. Please choose another one.';
    await page.goto('/signup');
    for (const [username, words] of [
      ['no', rules],
      [resident.username, taken],
      ['with space', rules],
      [resident.username.toUpperCase(), taken],
      ['ünïcode', rules],
      ['n'.repeat(31), rules],
    ] as const)
      await expectRefused(page, { username }, words);

    // The page itself refuses a reserved name, before it submits the form.
    const field = page.getByLabel('Username');
    await field.fill('dashboard');
    await expect(page.getByText('@dashboard is reserved. Please choose another one.')).toBeVisible();
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  },
);

test(
  ...rows({
    '4.sign-up': 'a visitor signs up',
    '9.password.8': 'a password of eight characters',
    '7.auth.create': 'a visitor signs up, leaves and comes back',
  }),
  async ({ page }) => {
    const account = { ...newAccount(), password: 'eight888' };
    await page.goto('/signup');
    await register(page, account);
    await expect(page).toHaveURL('/create-profile');
    await expect(page.getByLabel('Display Name')).toHaveValue(account.displayName);
    await page.goto('/');
    await page.goto('/dashboard/edit-profile');
    await expect(page.getByLabel('Display Name')).toHaveValue(account.displayName);
  },
);
