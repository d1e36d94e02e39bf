import type { Page, Route } from '@playwright/test';
import { fillContactForm } from '../src/fill-in.ts';
import { expect, test } from '../src/test.ts';

// After a new release, an open page may request a chunk (part of the code) that no longer exists. A reloaded page requests
// new chunks.

/** Makes requests for a chunk fail during this number of page loads, and counts the loads. */
async function lose(page: Page, chunk: string, untilLoads: number): Promise<{ loads: () => number }> {
  let loads = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) loads += 1;
  });
  await page.route(`**/assets/${chunk}-*.js`, (route) =>
    loads < untilLoads ? route.fulfill({ status: 404, body: '' }) : route.continue(),
  );
  return { loads: () => loads };
}

const footerLink = (page: Page, name: string) =>
  page.getByRole('contentinfo').getByRole('link', { name, exact: true });
const broken = (page: Page) => page.getByRole('heading', { name: 'This page could not be shown.' });

test('a page with a missing chunk reloads and works [e2e-93]', async ({ page }) => {
  await page.goto('/about');
  await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
  const { loads } = await lose(page, 'help-page', 1);
  await footerLink(page, 'Help & Feedback').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Help & Feedback' })).toBeVisible();
  await expect(page).toHaveURL('/help-feedback');
  expect(loads()).toBe(1);
});

test('a page whose chunk stays missing reloads once and offers to try again [e2e-94]', async ({ page }) => {
  const { loads } = await lose(page, 'not-found-page', 3);
  await page.goto('/no-such-page', { waitUntil: 'commit' });
  await expect(broken(page)).toBeVisible();
  expect(loads()).toBe(2);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This page is a ruin.' })).toBeVisible();
  expect(loads()).toBe(3);
});

test('a page whose first script is missing reloads once [e2e-95]', async ({ page }) => {
  const { loads } = await lose(page, 'base', 2);
  await page.goto('/about', { waitUntil: 'commit' });
  await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
  expect(loads()).toBe(2);
});

for (const [what, lost] of [
  ['is gone', (route) => route.fulfill({ status: 404, body: '' })],
  ['is cut off', (route) => route.abort('connectionreset')],
] satisfies [string, (route: Route) => Promise<void>][])
  test(`a page works and keeps the input if the loader of its code ${what}`, async ({ page }) => {
    const asked: string[] = [];
    await page.route('**/assets/begin-code-*.js', (route) => {
      asked.push(page.url());
      return lost(route);
    });
    await page.goto('/contact', { waitUntil: 'commit' });
    await page.getByLabel('Message').fill('Half a sentence');
    await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
    await expect(page.getByLabel('Message')).toHaveValue('Half a sentence');
    // One request means that the page was not loaded again.
    expect(asked).toHaveLength(1);
  });

test('input survives a navigation whose code is lost [e2e-96]', async ({ dashboardPage: page }) => {
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Bio').fill('Half a sentence');
  const { loads } = await lose(page, 'help-page', 1);
  const asking: string[] = [];
  page.on('dialog', (dialog) => {
    asking.push(dialog.type());
    void dialog.accept();
  });
  await footerLink(page, 'Help & Feedback').click();
  await page
    .getByRole('alertdialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave' })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Help & Feedback' })).toBeVisible();
  expect(loads()).toBe(1);
  await page.goBack();
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');
  await expect(page.getByText('What you typed before is here again.')).toBeVisible();
  expect(asking).toEqual([]);
});

test('a signed-in creator has the menu of visitors when no code loads', async ({ signedInPage: page }) => {
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/about', { waitUntil: 'commit' });
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(page.locator('html')).toHaveAttribute('data-returning', '');
  for (const name of ['Home', 'Browse Creators', 'About Us'])
    await expect(menu.getByRole('link', { name })).toBeVisible();
  // The page cannot know yet whether the browser has a session, so it shows neither item.
  for (const name of ['Log In', 'Sign Up']) await expect(menu.getByText(name)).toBeHidden();
  await menu.getByRole('link', { name: 'Browse Creators' }).click();
  await expect(page).toHaveURL('/browse-creators');
  await expect(page.getByRole('heading', { level: 1, name: 'Browse Creators' })).toBeVisible();
});

for (const [form, address, words, send] of [
  ['contact form', '/contact', 'Message', 'Send Message'],
  ['report form', '/report?page=/profile/sample', 'What is wrong?', 'Send Report'],
] as const) {
  test(`input in the ${form} survives a failed send and a reload [e2e-97]`, async ({ page }) => {
    await page.route('**/api/{contact-messages,reports}', (route) => route.abort());
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(address);
    await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
    await fillIn(page, words);
    await page.getByRole('button', { name: send }).click();
    await expect(page.getByRole('alert').filter({ hasText: /problem|could not be sent/ })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel(words)).toHaveValue('Half a sentence');
    await expect(page.getByText('What you typed before is here again. It is not sent yet.')).toBeVisible();
    await page.unroute('**/api/{contact-messages,reports}');
    await page.route('**/api/{contact-messages,reports}', (route) =>
      route.fulfill({ status: 202, json: { id: crypto.randomUUID() } }),
    );
    await page.getByRole('button', { name: send }).click();
    await expect(page.getByText(/^Thank/)).toBeVisible();
    await page.reload();
    await expect(page.getByLabel(words)).toHaveValue('');
  });

  test(`input in the ${form} survives a failed navigation`, async ({ page }) => {
    await page.goto(address);
    await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
    await page.getByLabel(words).fill('Half a sentence');
    await lose(page, 'help-page', 1);
    await footerLink(page, 'Help & Feedback').click();
    await page
      .getByRole('alertdialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Leave' })
      .click();
    await expect(page.getByRole('heading', { level: 1, name: 'Help & Feedback' })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel(words)).toHaveValue('Half a sentence');
  });
}

test('going back before the code of a page is loaded shows the previous page', async ({ page }) => {
  await page.goto('/contact');
  await expect(page.locator('html')).toHaveAttribute('data-interactive', '');
  await page.getByLabel('Message').fill('Half a sentence');
  await lose(page, 'help-page', 1);
  const code = Promise.withResolvers<undefined>();
  await page.route('**/assets/base-*.js', async (route) => {
    await code.promise;
    await route.continue();
  });
  await footerLink(page, 'Help & Feedback').click();
  const leave = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await leave.getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Help & Feedback' })).toBeVisible();
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1, name: 'Contact us' })).toBeVisible();
  code.resolve(undefined);
  await expect(page.getByLabel('Message')).toHaveValue('Half a sentence');
});

async function fillIn(page: Page, words: string): Promise<void> {
  if (words === 'Message') await fillContactForm(page);
  else await page.getByLabel('Which guideline does it go against?').selectOption({ index: 1 });
  await page.getByLabel(words).fill('Half a sentence');
}
