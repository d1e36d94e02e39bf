import type { Page } from '@playwright/test';
import { newAccount } from '../src/creators.ts';
import { isPasswordResetTo, type Mail, waitForMail } from '../src/mail-catcher.ts';
import { logIn, logOut, register } from '../src/sign-in.ts';
import { realmUrl, theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

// The tests need more time: ten log-ins, each of which the proxy delays by half a second, on a busy machine.
test.describe.configure({ timeout: 120_000 });

const linkIn = ({ text }: Mail) => /https?:\/\/\S+login-actions\/action-token\S+/.exec(text)?.[0] ?? '';

/** Requests a mail and returns its link. `before` contains the mails that arrived earlier. */
async function askForLink(
  page: Page,
  email: string,
  before: readonly string[],
): Promise<{ id: string; link: string }> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  const mail = await waitForMail((one) => isPasswordResetTo(email)(one) && !before.includes(one.id));
  return { id: mail.id, link: linkIn(mail) };
}

test('using one reset link revokes the others [e2e-153]', async ({ page, browser, baseURL, creator }) => {
  const first = await askForLink(page, creator.email, []);
  const second = await askForLink(page, creator.email, [first.id]);
  const password = `${creator.password} anew`;
  await page.goto(second.link);
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: /^Confirm/ }).fill(password);
  await page.getByRole('main').locator('[type=submit]').first().click();

  const elsewhere = await (await browser.newContext({ baseURL })).newPage();
  const heading = async () => {
    await elsewhere.goto(first.link);
    return elsewhere.getByRole('heading', { level: 1 }).textContent();
  };
  await expect.poll(heading).toBe('This Link Has Expired');
  await elsewhere.getByRole('link', { name: 'Ask for a New Link' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Forgot Your Password?' })).toBeVisible();
  await elsewhere.context().close();
});

test('a password reset by mail signs out all other browsers [e2e-154]', async ({
  signedInPage,
  browser,
  baseURL,
  creator,
}) => {
  await signedInPage.goto('/dashboard');
  await expect(signedInPage.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();

  const page = await (await browser.newContext({ baseURL })).newPage();
  await page.goto((await askForLink(page, creator.email, [])).link);
  const password = `${creator.password} anew`;
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(password);
  await page.getByRole('textbox', { name: /^Confirm/ }).fill(password);
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await page.getByRole('main').locator('[type=submit]').first().click();
  await expect(page.getByRole('heading', { name: 'All Done' })).toBeVisible();
  await page.context().close();

  await signedInPage.reload();
  await expect(signedInPage.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
});

test("failed log-ins lock an account for unknown devices, not for its owner's [e2e-155]", async ({
  page,
  browser,
  baseURL,
  creator,
}) => {
  await page.goto('/login');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
  await logOut(page);

  const stranger = await (await browser.newContext({ baseURL })).newPage();
  await stranger.goto('/login');
  const locked = stranger.getByText(/Too many tries\. Please wait \d+ minutes? and try again\./);
  const refused = stranger.getByText('Invalid email or password. Please try again.');
  // The limit is ten attempts. On a slow machine it refills by one or two during the test.
  for (let tries = 0; tries < 15 && !(await locked.isVisible()); tries += 1) {
    await logIn(stranger, { ...creator, password: 'not the one' });
    await expect(locked.or(refused)).toBeVisible();
  }
  await expect(locked).toBeVisible();
  await stranger.context().close();

  await page.goto('/login');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
});

test('the proxy exposes one realm and no admin API [e2e-156]', async () => {
  const { publicUrl, url } = theSystem().keycloak;
  const grant = {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x' }),
  };
  const token = '/realms/master/protocol/openid-connect/token';
  expect((await fetch(publicUrl + token, grant)).status).toBe(404);
  expect((await fetch(`${publicUrl}/admin/realms/stoa/users`)).status).toBe(404);
  // Keycloak itself answers on its internal port, so the 404 above comes from the proxy.
  expect((await fetch(url + token, grant)).status).not.toBe(404);
});

test('going back after a sign-up keeps the session', async ({ page }) => {
  await page.goto('/signup');
  await register(page, newAccount());
  await expect(page).toHaveURL('/create-profile');
  await page.goBack();
  await expect(page).not.toHaveURL('/create-profile');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test("'remember me' keeps the session after the browser closes [e2e-157]", async ({
  page,
  creator,
  context,
}) => {
  const lasting = async () =>
    (await context.cookies(`${realmUrl()}/`)).filter(
      ({ name, expires }) => name === 'KEYCLOAK_IDENTITY' && expires > 0,
    );
  await page.goto('/login');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
  expect(await lasting()).toEqual([]);
  await context.clearCookies();
  await page.goto('/login');
  await page.getByRole('checkbox', { name: 'Stay signed in on this device' }).check();
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
  const [cookie] = await lasting();
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400;
  expect(days).toBeGreaterThan(13);
  expect(days).toBeLessThan(31);
});
