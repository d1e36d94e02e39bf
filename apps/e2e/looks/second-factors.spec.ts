import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { enableRequiredAction, enableSecondFactor, setRequiredActions } from '../src/keycloak-admin.ts';
import { isPasswordResetTo, waitForMail } from '../src/mail-catcher.ts';
import { logIn, type Credentials } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';
import { oneTimeCode } from '../src/totp.ts';
import { addVirtualAuthenticator } from '../src/virtual-authenticator.ts';

test.describe.configure({ timeout: 180_000 });

const main = (page: Page) => page.getByRole('main');
const title = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const submit = (page: Page) => main(page).locator('[type=submit]').first();

test('an authenticator app is set up and required at the log-in [e2e-182]', async ({ page, creator }) => {
  await setRequiredActions(creator.uid, 'CONFIGURE_TOTP');
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'Set Up Your Authenticator App');
  await expectAccessible(page, 'set up totp');
  await main(page).getByRole('link', { name: 'Unable to scan?' }).click();
  const secret = (await page.locator('#kc-totp-secret-key').textContent()) ?? '';
  await expectAccessible(page, 'set up totp by hand');
  await page.getByLabel('One-time code').fill('12');
  await submit(page).click();
  await expect(page.getByLabel('One-time code')).toHaveAccessibleDescription(/That code is not valid/);
  await expectAccessible(page, 'totp refused');
  await page.getByLabel('One-time code').fill(oneTimeCode(secret));
  await page.getByLabel('Device name').fill('Phone');
  await submit(page).click();
  await expect(page).toHaveURL('/dashboard');

  await page.context().clearCookies();
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'One More Step');
  await expectAccessible(page, 'totp');
  await page.getByLabel('One-time code').fill('000000');
  await submit(page).click();
  await expect(page.getByLabel('One-time code')).toHaveAccessibleDescription(/That code is not valid/);
  // Each code works once, so this uses the code of the next 30 seconds, which Keycloak accepts too.
  await page.getByLabel('One-time code').fill(oneTimeCode(secret, 1));
  await submit(page).click();
  await expect(page).toHaveURL('/dashboard');
  // Waits for the cookies by which the sign-in proxy knows this browser: one for each name of the account.
  const known = async () =>
    (await page.context().cookies()).filter(({ name }) => name.includes('stoa-device-')).length;
  await expect.poll(known).toBe(2);
});

/** Resets the password by the link in a mail, and logs in with the new one. */
async function logInAfterReset(page: Page, creator: Credentials): Promise<void> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(creator.email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const { text } = await waitForMail(isPasswordResetTo(creator.email));
  await page.goto(/https?:\/\/\S+login-actions\/action-token\S+/.exec(text)?.[0] ?? '');
  const password = 'an even newer one';
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: /^Confirm/ }).fill(password);
  await submit(page).click();
  await title(page, 'All Done');

  await main(page).getByRole('link', { name: 'Go to the Dashboard' }).click();
  await logIn(page, { ...creator, password });
}

test('a password reset by mail does not skip the second factor [e2e-183]', async ({ page, creator }) => {
  await setRequiredActions(creator.uid, 'CONFIGURE_TOTP');
  await page.goto('/login');
  await logIn(page, creator);
  await main(page).getByRole('link', { name: 'Unable to scan?' }).click();
  const secret = (await page.locator('#kc-totp-secret-key').textContent()) ?? '';
  await page.getByLabel('One-time code').fill(oneTimeCode(secret));
  await submit(page).click();
  await expect(page).toHaveURL('/dashboard');
  await page.context().clearCookies();

  await logInAfterReset(page, creator);
  await title(page, 'One More Step');
  await page.getByLabel('One-time code').fill(oneTimeCode(secret, 1));
  await submit(page).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a passkey logs in and is also required after a password reset [e2e-184]', async ({ page, creator }) => {
  await addVirtualAuthenticator(page, 'Laptop');
  await enableSecondFactor('webauthn-authenticator');
  await setRequiredActions(creator.uid, 'webauthn-register');
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'Add a Passkey');
  await expectAccessible(page, 'add a passkey');
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  await expect(page).toHaveURL('/dashboard');

  await page.context().clearCookies();
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'Log In with a Passkey');
  await expectAccessible(page, 'log in with a passkey');
  const use = page.getByRole('button', { name: 'Use a Passkey' });
  const gap = await use.evaluate((button) => {
    const before = [...document.querySelectorAll('main *')].filter(
      (part) => button.compareDocumentPosition(part) === Node.DOCUMENT_POSITION_PRECEDING,
    );
    const ends = before.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0);
    return button.getBoundingClientRect().top - Math.max(...ends.map(({ bottom }) => bottom));
  });
  // The button for the passkey is above the other ways to log in.
  expect(gap).toBeGreaterThanOrEqual(12);
  await use.click();
  await expect(page).toHaveURL('/dashboard');

  await page.context().clearCookies();
  await logInAfterReset(page, creator);
  await title(page, 'Log In with a Passkey');
  await page.getByRole('button', { name: 'Use a Passkey' }).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a recovery code replaces the authenticator app [e2e-185]', async ({ page, creator }) => {
  await enableRequiredAction('CONFIGURE_RECOVERY_AUTHN_CODES');
  await enableSecondFactor('auth-recovery-authn-code-form');
  await setRequiredActions(creator.uid, 'CONFIGURE_TOTP', 'CONFIGURE_RECOVERY_AUTHN_CODES');
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'Set Up Your Authenticator App');
  await page.getByRole('link', { name: 'Unable to scan?' }).click();
  const secret = (await page.locator('#kc-totp-secret-key').textContent()) ?? '';
  await page.getByLabel('One-time code').fill(oneTimeCode(secret));
  await submit(page).click();
  await title(page, 'Your Recovery Codes');
  const codes = await page.locator('#kc-recovery-codes-list li').allTextContents();
  await expectAccessible(page, 'recovery codes');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('Turned down', 'NotAllowedError'));
  });
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByRole('status').getByText(/could not be copied\. They are selected/)).toBeVisible();
  const selected = await page.evaluate(() => getSelection()?.toString() ?? '');
  for (const code of codes) expect(selected).toContain(code.trim());
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('stoa-recovery-codes.txt');
  const done = page.getByRole('button', { name: 'Done' });
  await expect(done).toBeDisabled();
  await page.getByLabel('I have saved these codes somewhere safe').check();
  await done.click();
  await expect(page).toHaveURL('/dashboard');

  await page.context().clearCookies();
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'One More Step');
  await page.getByRole('button', { name: 'Try Another Way' }).click();
  await title(page, 'How Do You Want to Log In?');
  await expectAccessible(page, 'choice of factors');
  await page.getByRole('button', { name: /^Recovery code/ }).press('Enter');
  await title(page, 'Use a Recovery Code');
  await expectAccessible(page, 'recovery code');
  await page.getByLabel('Recovery code number 1').fill((codes[0] ?? '').trim());
  await submit(page).click();
  await expect(page).toHaveURL('/dashboard');
});

test('a failed passkey can be retried', async ({ page, creator }) => {
  await setRequiredActions(creator.uid, 'webauthn-register');
  // Browsers throw this error when the user dismisses the dialog.
  await page.addInitScript(() => {
    navigator.credentials.create = () => Promise.reject(new DOMException('Turned down', 'NotAllowedError'));
  });
  await page.goto('/login');
  await logIn(page, creator);
  await title(page, 'Add a Passkey');
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  await title(page, 'The Passkey Did Not Work');
  await expectAccessible(page, 'passkey error');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await title(page, 'Add a Passkey');
});
