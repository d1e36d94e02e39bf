import { deletionPhrase } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeAccount, makeCreator, makeNewcomer, newAccount } from '../src/creators.ts';
import { deletionOf } from '../src/leaver.ts';
import { fetchApi } from '../src/api.ts';
import { register } from '../src/sign-in.ts';
import { realmUrl, theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

const verdictOf = (page: Page) => page.getByRole('status').and(page.locator('#username-verdict'));

test('the sign-up shows and checks the public address during typing [e2e-163]', async ({ page, creator }) => {
  await page.goto('/signup');
  await expect(page.getByText(/3 to 30 letters.*can never be changed\./)).toBeVisible();
  const field = page.getByLabel('Username');
  const address = page.getByText('Your address:');
  await expect(address).toBeHidden();
  const { host } = new URL(theSystem().siteUrl);

  const { username } = newAccount();
  await field.pressSequentially(username);
  await expect(address).toContainText(`${host}/@${username}`);
  await expect(verdictOf(page)).toHaveText(`@${username} looks free.`);
  await expect(field).toHaveAccessibleDescription(/looks free\.$/);
  await expectAccessible(page, 'sign-up-free');

  for (const [typed, verdict] of [
    [creator.username.toUpperCase(), `@${creator.username} is taken. Please choose another one.`],
    ['Admin', '@admin is reserved. Please choose another one.'],
    ['ab', 'At least 3 characters, please.'],
    ['with space', 'Only letters from a to z, numbers, hyphens and underscores, please.'],
    ['n'.repeat(31), 'At most 30 characters, please: this is 31.'],
  ] as const) {
    await field.fill(typed);
    await expect(verdictOf(page)).toHaveText(verdict);
  }
  // The form keeps the input, although it is too long.
  await expect(field).toHaveValue('n'.repeat(31));
  await expectAccessible(page, 'sign-up-too-long');
  await expect(address).toBeHidden();
  await field.fill('');
  await expect(verdictOf(page)).toBeEmpty();
  await expect(address).toBeHidden();
});

test('the check does not reveal an account without a public profile', async ({ page }) => {
  const { username } = await makeNewcomer();
  await page.goto('/signup');
  await page.getByLabel('Username').fill(username);
  await expect(verdictOf(page)).toHaveText(`@${username} looks free.`);
});

test('a sign-up page that cannot reach the site does not check usernames [e2e-164]', async ({ page }) => {
  await page.route('**/api/usernames/**', (route) => route.abort());
  await page.goto('/signup');
  const asked = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/usernames/'));
  await page.getByLabel('Username').fill('some-name');
  await asked;
  await expect(page.getByText('Your address:')).toContainText('/@some-name');
  await expect(verdictOf(page)).toBeEmpty();
});

test('an invalid username shows no address and gets a valid suggestion [e2e-165]', async ({ page }) => {
  const { username } = newAccount();
  await page.goto('/signup');
  const field = page.getByLabel('Username');
  await field.fill(`  ${username.replaceAll('-', ' ').toUpperCase()}!é `);
  await expect(verdictOf(page)).toHaveText(/^Only letters from a to z/);
  await expect(page.getByText('Your address:')).toBeHidden();
  const offer = page.getByRole('button', { name: /^Use @/ });
  await expectAccessible(page, 'sign-up-offer');
  const offered = (await offer.textContent())?.replace('Use @', '') ?? '';
  expect(offered).toMatch(/^[a-z0-9_-]{3,30}$/);
  await offer.click();
  await expect(field).toHaveValue(offered);
  await expect(field).toBeFocused();
  await expect(verdictOf(page)).toHaveText(`@${offered} looks free.`);
  await expect(offer).toBeHidden();
  // These inputs contain nothing from which the form could suggest a valid name.
  for (const typed of ['日本', '!!', 'ab']) {
    await field.fill(typed);
    await expect(verdictOf(page)).not.toBeEmpty();
    await expect(page.getByRole('button', { name: /^Use @/ })).toBeHidden();
  }
});

test('a new username removes the message about the refused one', async ({ page, creator }) => {
  await page.goto('/signup');
  await register(page, { ...newAccount(), username: creator.username, password: 'seven77' });
  const taken = page.getByText('This username is already taken. Please choose another one.', { exact: true });
  await expect(taken).toBeVisible();
  await expect(verdictOf(page)).toBeEmpty();
  await expect(page.getByRole('alert')).toHaveText(/^Please check the form\. Username\.( Password: .*)?$/);
  const { username } = newAccount();
  await page.getByLabel('Username').fill(username);
  await expect(verdictOf(page)).toHaveText(`@${username} looks free.`);
  await expect(taken).toHaveCount(0);
  await expect(page.getByLabel('Username')).not.toHaveAccessibleDescription(/already taken/);

  await page.goto('/signup');
  await register(page, { ...newAccount(), password: 'seven77' });
  await expect(page.getByRole('alert')).toHaveText('Please check the form. Password.');
});

/** Creates and closes an account, waits until site and sign-up refuse its username, and returns the name. */
async function closedUsername(): Promise<string> {
  test.slow();
  const creator = await makeCreator();
  const { token, username } = creator;
  await fetchApi('POST', '/api/account/deletion', { token, body: { confirmation: deletionPhrase } });
  await expect.poll(async () => (await deletionOf(creator))?.removed, { timeout: 60_000 }).toBe(true);
  const state = async () => (await fetchApi('GET', `/api/usernames/${username}`)).text();
  await expect.poll(state, { timeout: 30_000 }).toContain('"reserved"');
  // The edge learns of the reserved name by an event. The invalid address keeps an early attempt from creating an account.
  const refusal = () =>
    makeAccount({ ...newAccount(), username, email: 'no address' }).then(() => 'an account', String);
  await expect.poll(refusal, { timeout: 30_000 }).toContain('Some names are reserved.');
  return username;
}

test('the sign-up form refuses the username of a closed account [e2e-166]', async ({ page }) => {
  const username = await closedUsername();
  const account = { ...newAccount(), username };
  await page.goto('/signup');
  const field = page.getByLabel('Username');
  await field.fill(username.toUpperCase());
  await expect(verdictOf(page)).toHaveText(`@${username} is reserved. Please choose another one.`);
  await page.getByLabel('Display name').fill(account.displayName);
  await page.getByLabel('Email').fill(account.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password);
  await page.getByLabel('Confirm password').fill(account.password);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page, 'sign-up-reserved');

  await field.fill(newAccount().username);
  await expect(verdictOf(page)).toHaveText(/looks free\.$/);
  await expect(field).not.toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
  await expect(page).toHaveURL((url) => url.origin === new URL(theSystem().siteUrl).origin);
});

test('a script cannot sign up with the username of a closed account [e2e-167]', async () => {
  const username = await closedUsername();
  for (const spelling of [username, username.toUpperCase(), ` ${username} `]) {
    const refused = makeAccount({ ...newAccount(), username: spelling });
    await expect(refused).rejects.toThrow('Some names are reserved.');
  }
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the sign-up form refuses the username of a closed account and keeps the input', async ({ page }) => {
    const username = await closedUsername();
    const account = newAccount();
    const query = new URLSearchParams({
      ...{ client_id: 'web', redirect_uri: `${theSystem().siteUrl}/auth/callback`, scope: 'openid' },
      ...{ response_type: 'code', code_challenge_method: 'S256', code_challenge: 'a'.repeat(43) },
    });
    await page.goto(`${realmUrl()}/protocol/openid-connect/registrations?${query.toString()}`);
    await page.getByLabel('Username').fill(username);
    await page.getByLabel('Display name').fill(account.displayName);
    await page.getByLabel('Email').fill(account.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(account.password);
    await page.getByLabel('Confirm password').fill(account.password);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sign Up', exact: true }).click();
    await expect(page.getByText('Some names are reserved.')).toBeVisible();
    await expect(page.getByLabel('Username')).toHaveValue(username);
    await expect(page.getByLabel('Display name')).toHaveValue(account.displayName);
    await expect(page.getByLabel('Email')).toHaveValue(account.email);
  });
});
