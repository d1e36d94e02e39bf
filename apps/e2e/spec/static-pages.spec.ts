import type { Page } from '@playwright/test';
import { theSystem } from '../src/system.ts';
import { expect, row, test } from '../src/spec-test.ts';

async function expectLongPage(page: Page, title: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  expect((await page.getByRole('main').innerText()).length).toBeGreaterThan(1000);
}

const textOf = async (page: Page): Promise<string> => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  return page.getByRole('main').innerText();
};

test(...row('2.legal.privacy', 'the page is read'), async ({ openAsVisitor }) => {
  await expectLongPage(await openAsVisitor('/privacy'), 'Privacy Policy');
});

test(...row('2.legal.terms', 'the page is read'), async ({ openAsVisitor }) => {
  await expectLongPage(await openAsVisitor('/terms-of-service'), 'Terms of Service');
});

test(...row('2.legal.guidelines', 'the page is read'), async ({ openAsVisitor }) => {
  await expectLongPage(await openAsVisitor('/community-guidelines'), 'Community Guidelines');
});

test(...row('2.legal.help', 'the page is read'), async ({ openAsVisitor }) => {
  await expectLongPage(await openAsVisitor('/help-feedback'), 'Help & Feedback');
});

async function expectFormOfKeycloak(page: Page, fields: string[], button: string): Promise<void> {
  await page.waitForURL((url) => url.href.startsWith(`${theSystem().keycloak.publicUrl}/realms/stoa/`));
  for (const field of fields) {
    await expect(page.getByRole('main').getByRole('textbox', { name: field }).first()).toBeVisible();
  }
  await expect(page.getByRole('main').getByRole('button', { name: button })).toBeEnabled();
}

test(...row('2.forms.login', 'a visitor opens the address'), async ({ openAsVisitor }) => {
  await expectFormOfKeycloak(await openAsVisitor('/login'), ['Email', 'Password'], 'Log In');
});

test(...row('2.forms.forgot-password', 'a visitor opens the address'), async ({ openAsVisitor }) => {
  await expectFormOfKeycloak(await openAsVisitor('/forgot-password'), ['Email'], 'Send Reset Link');
});

test(...row('2.forms.signup', 'a visitor opens the address'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/signup');
  const fields = ['Display name', 'Username', 'Email', 'Password', 'Confirm password'];
  await expectFormOfKeycloak(page, fields, 'Sign Up');
  await expect(page.getByRole('checkbox', { name: /I agree to the Terms of Service/ })).not.toBeChecked();
});

test(...row('9.liability', 'the terms are read'), async ({ openAsVisitor }) => {
  expect(await textOf(await openAsVisitor('/terms-of-service'))).toContain('limited to ZAR 100.');
});

test(...row('9.age', 'the sign-up form asks to confirm it'), async ({ openAsVisitor }) => {
  const page = await openAsVisitor('/signup');
  await expect(page.getByRole('checkbox', { name: /I am 18 or older/ })).toBeVisible();
});

test(...row('6.adults', 'the terms are read'), async ({ openAsVisitor }) => {
  expect(await textOf(await openAsVisitor('/terms-of-service'))).toContain('18 years or older');
});

test(...row('9.privacy', 'the privacy policy is read'), async ({ openAsVisitor }) => {
  expect(await textOf(await openAsVisitor('/privacy'))).toContain('within 30 days');
});

test(...row('9.no-fee', 'the terms are read'), async ({ openAsVisitor }) => {
  expect(await textOf(await openAsVisitor('/terms-of-service'))).toContain(
    'We charge no fee and take no commission',
  );
});

test(
  ...row('1.no-payments', 'the terms are read, and nowhere on them or on the home page is a payment form'),
  async ({ openAsVisitor }) => {
    for (const [path, words] of [
      ['/terms-of-service', 'Stoa does not process payments.'],
      ['/', 'takes no commission'],
    ] as const) {
      const page = await openAsVisitor(path);
      expect(await textOf(page)).toContain(words);
      await expect(page.getByLabel(/card number/i)).toHaveCount(0);
    }
  },
);

test(...row('d.terms', 'a visitor opens /terms'), async ({ page }) => {
  await page.goto('/terms');
  await expect(page).toHaveURL('/terms-of-service');
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible();
});

test(...row('d.not-found', 'a visitor opens an unknown path'), async ({ page }) => {
  await page.goto('/there/is/nothing/here');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('This page is a ruin.');
  await page.getByRole('main').getByRole('link', { name: 'Back to Home' }).click();
  await expect(page).toHaveURL('/');
});
