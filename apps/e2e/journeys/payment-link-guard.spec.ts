import type { Page } from '@playwright/test';
import { openAccountRow } from '../src/account-row.ts';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchJson } from '../src/api.ts';
import { makeOffering, saveProfile, type TestCreator } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { randomPhoto } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

/**
 * Answers the next save as the API does when the log-in is older than 10 minutes, because the test cannot wait that long.
 * apps/offerings/test and apps/creators/test contain tests of the rule itself.
 */
async function refuseOnce(page: Page, address: string, field: string, method = 'PUT'): Promise<void> {
  let refused = false;
  const code = 'fresh_login_required';
  const errors = [{ field, message: 'Log in again to change where payments go.' }];
  await page.route(address, (route) => {
    if (refused || route.request().method() !== method) return route.fallback();
    refused = true;
    return route.fulfill({ status: 403, json: { title: 'Forbidden', status: 403, code, errors } });
  });
}

async function logInAgain(page: Page, { password }: TestCreator): Promise<void> {
  await page.getByRole('button', { name: 'Log In Again' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

const elsewhere = 'https://elsewhere.example.net/letters';

test('a new host for a payment link needs a recent log-in and keeps the input [e2e-113]', async ({
  signedInPage: page,
  creator,
}) => {
  const { id } = await makeOffering(creator.token);
  await refuseOnce(page, `**/api/offerings/${id}`, 'paymentUrl');
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Title').fill('Twelve more letters');
  await page.getByLabel('Payment Link').fill(elsewhere);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Log in again to change where payments go' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'fresh-login');
  await logInAgain(page, creator);

  await expect(page).toHaveURL(`/dashboard/edit-offering/${id}`);
  await expect(page.getByText('What you typed before is here again.')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Twelve more letters');
  await expect(page.getByLabel('Payment Link')).toHaveValue(elsewhere);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Offering updated successfully!')).toBeVisible();
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('link', { name: /^Access Now/ })).toHaveAttribute('href', elsewhere);
});

test('a new offering with a new payee needs a recent log-in and keeps the input [e2e-114]', async ({
  signedInPage: page,
  creator,
}) => {
  await refuseOnce(page, '**/api/offerings', 'paymentUrl', 'POST');
  await page.goto('/dashboard/add-offering');
  await page.getByLabel('Title').fill('Twelve letters');
  await page.getByLabel('Price').fill('R150');
  await page.getByLabel('Payment Link').fill(elsewhere);
  await page.getByLabel('Cover Image').setInputFiles(await randomPhoto());
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await logInAgain(page, creator);

  await expect(page).toHaveURL('/dashboard/add-offering');
  await expect(page.getByLabel('Title')).toHaveValue('Twelve letters');
  await expect(page.getByLabel('Payment Link')).toHaveValue(elsewhere);
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Your offering is published.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Twelve letters' })).toBeVisible();
});

test('a new payee in More Links needs a recent log-in and keeps the input [e2e-115]', async ({
  signedInPage: page,
  creator,
}) => {
  const { displayName } = creator;
  const links = [{ label: 'Shop', url: 'https://shop.example.com/n' }];
  await saveProfile(creator.token, { displayName, links });
  await refuseOnce(page, '**/api/me/profile', 'links.0.url');
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Address of link 1').fill(elsewhere);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await logInAgain(page, creator);

  await expect(page.getByLabel('Address of link 1')).toHaveValue(elsewhere);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
});

test('the owner gets a mail about a new offering, and its link makes it a draft [e2e-116]', async ({
  signedInPage: page,
  creator,
}) => {
  await verifyEmail(creator);
  const { id } = await makeOffering(creator.token);
  const isMine = isTo(creator.email);
  const mail = await waitForMail(
    (found) => isMine(found) && found.subject === 'A payment link was added to your Stoa account',
  );
  await page.goto(/https?:\/\/\S+\/undo-change\?links#\S+/.exec(mail.text)?.[0] ?? '');
  await page.getByRole('button', { name: 'It Was Not Me: Take It Back' }).click();
  await expect(page.getByText('the offering is a draft, which nobody else sees.')).toBeVisible();
  const state = async () =>
    (await fetchJson<{ state: string }>('GET', `/api/offerings/${id}`, { token: creator.token })).state;
  await expect.poll(state).toBe('draft');
});

test('a new host for a payment link of a profile needs a recent log-in [e2e-117]', async ({
  signedInPage: page,
  creator,
}) => {
  const { displayName } = creator;
  const paygates = [{ name: 'Tips', url: 'https://tips.example.com/n' }];
  await saveProfile(creator.token, { displayName, paygates });
  await refuseOnce(page, '**/api/me/profile', 'paygates.0.url');
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Address of payment link 1').fill(elsewhere);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await logInAgain(page, creator);

  await expect(page.getByLabel('Address of payment link 1')).toHaveValue(elsewhere);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
});

test('the owner gets a mail about a new payment link and undoes the change [e2e-118]', async ({
  signedInPage: page,
  creator,
}) => {
  await verifyEmail(creator);
  const { id, title, paymentUrl } = await makeOffering(creator.token);
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Payment Link').fill(elsewhere);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Offering updated successfully!')).toBeVisible();

  const isMine = isTo(creator.email);
  const mail = await waitForMail(
    (found) => isMine(found) && found.subject === 'Your Stoa payment link was changed',
  );
  expect(mail.text).toContain(elsewhere);
  await page.goto(/https?:\/\/\S+\/undo-change\?links#\S+/.exec(mail.text)?.[0] ?? '');
  await expectAccessible(page, 'undo-link-change');
  await page.getByRole('button', { name: 'It Was Not Me: Take It Back' }).click();
  await expect(page.getByText(`“${title}” is paid at pay.example.com again.`)).toBeVisible();
  await expectAccessible(page, 'undone-link-change');
  const visited = async () => {
    await page.goto(`/profile/${creator.username}`);
    return page.getByRole('link', { name: /^Access Now/ }).getAttribute('href');
  };
  await expect.poll(visited).toBe(paymentUrl);

  await page.goto('/dashboard/account');
  const log = await openAccountRow(page, 'Changes of Payment Links');
  // The log also has an entry about the publication, so the test selects the entry by its link.
  const change = log.getByRole('listitem').filter({ hasText: 'elsewhere.example.net' });
  await expect(change.getByRole('heading', { name: title })).toBeVisible();
  await expect(change.getByText('pay.example.com')).toBeVisible();
  await expect(change.getByText('elsewhere.example.net')).toBeVisible();
  await expect(change.getByText(/^Taken back/)).toBeVisible();
  await expectAccessible(page, 'link-change-log');
});
