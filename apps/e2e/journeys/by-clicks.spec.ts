import type { Page } from '@playwright/test';
import { openAccountRow } from '../src/account-row.ts';
import { makeOffering, saveProfile } from '../src/creators.ts';
import { fillContactForm } from '../src/fill-in.ts';
import { expect, test } from '../src/test.ts';

// These tests open pages only by clicks from the dashboard, so that each page starts with data that the browser has cached.

test('after a rotated link and a save the dashboard copies the new delivery link', async ({
  dashboardPage: page,
  context,
  creator,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { deliveryKey } = await makeOffering(creator.token, { title: 'Letters', deliveryText: 'Hello' });
  await page.reload();
  await page.getByRole('link', { name: 'Edit Letters' }).click();
  await page.getByRole('button', { name: 'Rotate link' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate link' }).click();
  await expect(page.getByText('The link was replaced. The old one no longer works.')).toBeVisible();
  const link = await page.getByLabel('Delivery link').inputValue();
  expect(link).not.toContain(deliveryKey);
  await page.getByLabel('Title').fill('Letters, revised');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const note = page.getByRole('status').filter({ hasText: '“Letters, revised” is saved.' });
  await note.getByRole('button', { name: 'Copy delivery link' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(link);
  await expect(page.getByRole('link', { name: 'Edit Letters, revised' })).toBeVisible();
  // The editor shows the new key when it is opened again.
  await page.getByRole('link', { name: 'Edit Letters, revised' }).click();
  await expect(page.getByLabel('Delivery link')).toHaveValue(link);
});

test('the note about a hidden offering has no link to its page', async ({ dashboardPage: page, creator }) => {
  await makeOffering(creator.token, { title: 'Letters' });
  await page.reload();
  await page.getByRole('link', { name: 'Edit Letters' }).click();
  await page.getByLabel('State').selectOption({ label: 'Hidden' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const note = page.getByRole('status').filter({ hasText: 'is saved.' });
  await expect(note).toContainText('“Letters” is saved. Visitors see it once you publish it.');
  await expect(note.getByRole('link', { name: 'View' })).toHaveCount(0);
  const row = page.getByRole('article').filter({ hasText: 'Letters' });
  await expect(row.getByText('Hidden', { exact: true })).toBeVisible();
});

test('the dashboard and the public page show a saved profile', async ({ dashboardPage: page, creator }) => {
  const summary = page.getByRole('complementary', { name: 'Your profile' });
  await summary.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Paper, ink and patience.');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(summary.getByText('Paper, ink and patience.')).toBeVisible();
  await summary.getByRole('link', { name: 'View My Public Profile' }).click();
  await expect(page.getByRole('heading', { name: creator.displayName })).toBeVisible();
  await expect(page.getByText('Paper, ink and patience.')).toBeVisible();
});

test('the dashboard shows a display name that the account page changed', async ({ dashboardPage: page }) => {
  const summary = page.getByRole('complementary', { name: 'Your profile' });
  await summary.getByRole('link', { name: 'Account and Security' }).click();
  await openAccountRow(page, 'What You Are Called');
  await page.getByLabel('Display Name').fill('Nomvula of the Letters');
  await page.getByRole('button', { name: 'Save Name' }).click();
  await expect(page.getByText('Your display name has been changed.')).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(summary.getByRole('heading', { name: 'Nomvula of the Letters' })).toBeVisible();
});

const main = (page: Page) => page.getByRole('main');
/** Expects that the main content has the focus and a name, so that screen readers announce the new page. */
const expectPage = async (page: Page, name: string | RegExp) => {
  await expect(page.getByRole('main', { name })).toBeFocused();
};

test('a visitor goes from home to a creator, an offering, a report and a message by clicks', async ({
  page,
  creator,
}) => {
  const { displayName, token, username } = creator;
  await saveProfile(token, { displayName, contactBy: 'form', niches: ['Poet'] });
  await makeOffering(token, { title: 'Letters' });
  await page.goto('/');
  // Waits for the web app. Before that, a click would load a new document, and the browser would set the focus.
  await page.locator('html[data-interactive]').waitFor();
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Browse Creators' }).click();
  await expectPage(page, 'Browse Creators');
  await main(page).getByRole('button', { name: 'Poet', exact: true }).click();
  await main(page).getByLabel('Search creators').fill(username);
  await main(page)
    .getByRole('link', { name: new RegExp(`View Profile.*${displayName}`) })
    .click();
  await expectPage(page, displayName);
  await main(page).getByRole('link', { name: 'Letters', exact: true }).first().click();
  await expectPage(page, /^Letters/);
  await expect(main(page).getByRole('link', { name: /^Access Now/ })).toBeVisible();

  await main(page).getByRole('link', { name: 'Report this page' }).click();
  await expectPage(page, 'Report a Page');
  await page.getByLabel('Which guideline does it go against?').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Send Report' }).click();
  await expect(page.getByText(/^Thank you\./)).toBeVisible();

  await page.goBack();
  await expectPage(page, /^Letters/);
  await page.goBack();
  await expectPage(page, displayName);
  await main(page).getByRole('link', { name: 'Contact Me' }).click();
  await expectPage(page, `Contact ${displayName}`);
  await fillContactForm(page);
  await page.getByRole('button', { name: 'Send Message' }).click();
  await expect(page.getByText(/^Thanks for your message!/)).toBeVisible();
  await main(page)
    .getByRole('link', { name: `Back to @${username}` })
    .click();
  await expectPage(page, displayName);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Help & Feedback' }).click();
  await expectPage(page, 'Help & Feedback');
});

test('clicks reach the form of a new offering, the numbers and the delivery link', async ({
  dashboardPage: page,
}) => {
  await page.getByRole('link', { name: 'Add New Offering' }).click();
  await expectPage(page, /Offering/);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expectPage(page, 'Dashboard');
  await page.getByRole('link', { name: 'All numbers' }).click();
  await expectPage(page, 'Numbers');
  const numbers = page.getByRole('region', { name: 'Numbers' });
  await numbers.getByRole('button', { name: '7 days' }).click();
  await expect(numbers.getByRole('button', { name: '7 days' })).toHaveAttribute('aria-pressed', 'true');
  await page.goBack();
  await expectPage(page, 'Dashboard');
  await page.getByRole('link', { name: 'Edit Profile' }).first().click();
  await expectPage(page, /Your Profile$/);
  await page.goBack();
  await expectPage(page, 'Dashboard');
});
