import { expect, type Page } from '@playwright/test';
import type { Account, TestCreator } from './creators.ts';
import { endSessionsOf } from './keycloak-admin.ts';

export type Credentials = Pick<Account, 'email' | 'password'>;

/** Logs in on Keycloak's page, after waiting for it. */
export async function logIn(page: Page, { email, password }: Credentials): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await send(page, 'Log In');
}

/**
 * Waits until a change of the account requires the password. Keycloak measures the age of a log-in in whole seconds, and
 * accepts one of the same second.
 */
export async function untilPasswordIsRequired(): Promise<void> {
  const since = Date.now();
  await expect.poll(() => Date.now() - since).toBeGreaterThan(1000);
}

/** Submits Keycloak's form and waits for the new document, because the previous page may show the same message. */
async function send(page: Page, button: string): Promise<void> {
  const answered = page.waitForEvent('domcontentloaded');
  await page.getByRole('button', { name: button }).click();
  await answered;
}

export interface Registration extends Account {
  passwordConfirm?: string;
  agree?: boolean;
}

export async function register(page: Page, given: Registration): Promise<void> {
  const { displayName, username, email, password, passwordConfirm = password, agree = true } = given;
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible();
  await page.getByLabel('Display name').fill(displayName);
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByLabel('Confirm password').fill(passwordConfirm);
  await page.getByRole('checkbox', { name: /I agree to the Terms of Service/ }).setChecked(agree);
  await send(page, 'Sign Up');
}

export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log Out' }).click();
  await expect(page).toHaveURL('/');
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Log In' }),
  ).toBeVisible();
}

/** Ends the creator's sessions in Keycloak, and advances the page's clock until its token has expired. */
export async function expireSession(page: Page, { uid }: TestCreator): Promise<void> {
  await endSessionsOf(uid);
  // The token in the page's memory is valid for some minutes longer. Then the page requests a new one.
  await page.clock.fastForward('01:00:00');
}
