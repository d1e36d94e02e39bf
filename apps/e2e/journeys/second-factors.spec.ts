import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import type { TestCreator } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { logIn, untilPasswordIsRequired } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';
import { oneTimeCode } from '../src/totp.ts';
import { addVirtualAuthenticator } from '../src/virtual-authenticator.ts';

test.describe.configure({ timeout: 180_000 });

const title = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
const submit = (page: Page) => page.getByRole('main').locator('[type=submit]').first();
const factors = (page: Page) => page.getByRole('list', { name: 'Your Second Steps' }).getByRole('listitem');

/** Buttons of the account page for actions that need a log-in within the last 5 minutes. */
const additions = ['Set Up App', 'Add a Passkey', 'Make Codes'];

/** Clicks a button of the account page, and enters the password if Keycloak requires it. */
async function press(page: Page, button: string, { password }: TestCreator): Promise<void> {
  await page.goto('/dashboard/account');
  await untilPasswordIsRequired();
  await page.getByRole('button', { name: button }).click();
  if (additions.includes(button)) return;
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

test('an authenticator app can be added, listed and removed, with mails [e2e-140]', async ({
  signedInPage: page,
  creator,
}) => {
  await verifyEmail(creator);
  await page.goto('/dashboard/account');
  await expect(page.getByText('None yet: your password alone opens your account.')).toBeVisible();

  await press(page, 'Set Up App', creator);
  await title(page, 'Set Up Your Authenticator App');
  await page.getByRole('link', { name: 'Unable to scan?' }).click();
  const secret = (await page.locator('#kc-totp-secret-key').textContent()) ?? '';
  await page.getByLabel('One-time code').fill(oneTimeCode(secret));
  await page.getByLabel('Device name').fill('Phone');
  await submit(page).click();
  await expect(page.getByText('Your authenticator app is set up.')).toBeVisible();
  await expect(page).toHaveURL('/dashboard/account');
  await expect(factors(page)).toHaveText([/^Authenticator app “Phone”Added \d+ \w+ \d{4}Remove$/]);
  await expectAccessible(page, 'account-second-factors');

  await press(page, 'Remove Authenticator app “Phone”', creator);
  await title(page, 'One More Step');
  // Each code works once, so this uses the code of the next 30 seconds, which Keycloak accepts too.
  await page.getByLabel('One-time code').fill(oneTimeCode(secret, 1));
  await submit(page).click();
  await title(page, 'Remove “Phone”?');
  await expectAccessible(page, 'remove a second factor');
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('It has been removed.')).toBeVisible();
  await expect(page.getByText('None yet: your password alone opens your account.')).toBeVisible();
  const isMine = isTo(creator.email);
  const told = await waitForMail((mail) => isMine(mail) && mail.subject === 'A way to log in was removed');
  expect(told.text).toContain('choose a new password at once');

  await page.context().clearCookies();
  await page.goto('/login');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
});

test('a passkey can be added, and stays when its removal is cancelled [e2e-141]', async ({
  signedInPage: page,
  creator,
}) => {
  await addVirtualAuthenticator(page, 'Laptop');
  const script = Promise.withResolvers<undefined>();
  await page.route('**/passkey.js', async (route) => {
    await script.promise;
    await route.continue();
  });
  await press(page, 'Add a Passkey', creator);
  await title(page, 'Add a Passkey');
  const add = page.getByRole('button', { name: 'Add a Passkey' });
  await expect(add, 'no click is lost before the script runs').toBeDisabled();
  script.resolve(undefined);
  await add.click();
  await expect(page.getByText('Your passkey has been added.')).toBeVisible();
  await expect(factors(page)).toHaveText([/^Passkey “Laptop”/]);

  await press(page, 'Remove Passkey “Laptop”', creator);
  await title(page, 'Log In with a Passkey');
  await page.getByRole('button', { name: 'Use a Passkey' }).click();
  await title(page, 'Remove “Laptop”?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Nothing was changed.')).toBeVisible();
  await expect(factors(page)).toHaveText([/^Passkey “Laptop”/]);
});

test('recovery codes can be created and listed, with a mail [e2e-142]', async ({
  signedInPage: page,
  creator,
}) => {
  await verifyEmail(creator);
  await press(page, 'Make Codes', creator);
  await title(page, 'Your Recovery Codes');
  await page.getByLabel('I have saved these codes somewhere safe').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Your recovery codes are set up.')).toBeVisible();
  await expect(factors(page)).toHaveText([/^Recovery codes/]);
  const isMine = isTo(creator.email);
  const mail = await waitForMail((one) => isMine(one) && one.subject === 'A way to log in was changed');
  for (const part of [mail.text, mail.html]) {
    expect(part).toContain(`Hello ${creator.username},`);
    expect(part).toMatch(/\(recovery codes\) was changed on \d{1,2} [A-Z][a-z]+ \d{4} at \d\d:\d\d UTC from/);
  }
});

test('a new email address is confirmed by mail and then logs in [e2e-143]', async ({
  signedInPage: page,
  creator,
}) => {
  const email = `moved-${creator.email}`;
  await press(page, 'Change Email', creator);
  await title(page, 'Change Your Email');
  await page.getByLabel('Email').fill(email);
  await submit(page).click();
  await title(page, 'Check Your Inbox');
  const { text } = await waitForMail(isTo(email));
  await page.goto(/https?:\/\/\S+action-token\S+/.exec(text)?.[0] ?? '');
  await title(page, 'Email Changed');
  await page.context().clearCookies();
  await page.goto('/login');
  await logIn(page, { ...creator, email });
  await expect(page).toHaveURL('/dashboard');
  await page.goto('/dashboard/account');
  await expect(page.getByText(`You log in with ${email}`)).toBeVisible();
});
