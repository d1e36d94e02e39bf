import { makeOffering } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

// From the dashboard by clicks alone: what one page has in memory is what the next one begins with.

test('after a rotated link and a save the dashboard hands out the new delivery link', async ({
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
  // Leaving the editor without a save shows the rotated key too.
  await page.getByRole('link', { name: 'Edit Letters, revised' }).click();
  await expect(page.getByLabel('Delivery link')).toHaveValue(link);
});

test('an offering that was hidden is not announced with a link to its page', async ({
  dashboardPage: page,
  creator,
}) => {
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

test('a saved profile is shown by the dashboard, and its public page', async ({
  dashboardPage: page,
  creator,
}) => {
  const summary = page.getByRole('complementary', { name: 'Your profile' });
  await summary.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Paper, ink and patience.');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(summary.getByText('Paper, ink and patience.')).toBeVisible();
  await summary.getByRole('link', { name: 'View My Public Profile' }).click();
  await expect(page.getByRole('heading', { name: creator.displayName })).toBeVisible();
  await expect(page.getByText('Paper, ink and patience.')).toBeVisible();
});

test('a display name that was changed in the account is on the dashboard', async ({
  dashboardPage: page,
}) => {
  const summary = page.getByRole('complementary', { name: 'Your profile' });
  await summary.getByRole('link', { name: 'Account and Security' }).click();
  await page.getByLabel('Display Name').fill('Nomvula of the Letters');
  await page.getByRole('button', { name: 'Save Name' }).click();
  await expect(page.getByText('Your display name has been changed.')).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(summary.getByRole('heading', { name: 'Nomvula of the Letters' })).toBeVisible();
});
