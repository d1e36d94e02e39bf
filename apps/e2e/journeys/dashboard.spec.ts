import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { fetchApi } from '../src/api.ts';
import { makeNewcomer, makeOffering } from '../src/creators.ts';
import { fillOffering } from '../src/fill-in.ts';
import { phone } from '../src/screens/screen.ts';
import { theSystem } from '../src/system.ts';
import { expect, test } from '../src/test.ts';

test('the public address can be copied and saved as a QR code [e2e-73]', async ({
  dashboardPage: page,
  creator,
  context,
}) => {
  const address = `${theSystem().siteUrl}/profile/${creator.username}`;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const card = page.getByRole('region', { name: 'Your Public Address' });
  await card.getByRole('button', { name: 'Copy' }).click();
  await expect(card.getByRole('status')).toHaveText('Link copied.');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);

  await card.getByRole('button', { name: 'QR Code' }).click();
  await expect(card.getByRole('img', { name: `QR code of ${address}` })).toBeVisible();
  await expectAccessible(page, 'dashboard-address');
  const saved = async (kind: string) => {
    const begun = page.waitForEvent('download');
    await card.getByRole('button', { name: kind }).click();
    const file = await begun;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const svg = await saved('SVG');
  expect(svg.name).toBe(`stoa-${creator.username}.svg`);
  expect(svg.bytes.toString()).toMatch(/^<svg xmlns=.*<path d="M4 4h1v1h-1z/);
  const png = await saved('PNG');
  expect(png.name).toBe(`stoa-${creator.username}.png`);
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
});

test('the copied embed code shows the profile inside another page [e2e-74]', async ({
  dashboardPage: page,
  creator,
  context,
}) => {
  await makeOffering(creator.token, { title: 'Twelve letters' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const card = page.getByRole('region', { name: 'Your Public Address' });
  await card.getByRole('button', { name: 'Embed' }).click();
  await card.getByRole('button', { name: 'Copy Code' }).click();
  await expect(card.getByRole('status').filter({ hasText: 'Code copied.' })).toBeAttached();
  await expectAccessible(page, 'dashboard-embed');
  const code = await page.evaluate(() => navigator.clipboard.readText());
  const { siteUrl } = theSystem();
  expect(code).toContain(`<iframe src="${siteUrl}/embed/${creator.username}"`);

  // A web server on 127.0.0.1 counts as another site than `localhost`.
  const blog = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html').end(`<!doctype html>${code}`);
  });
  blog.listen(0, '127.0.0.1');
  await once(blog, 'listening');
  const other = await context.newPage();
  await other.goto(`http://127.0.0.1:${(blog.address() as AddressInfo).port}/`);
  const frame = other.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: creator.displayName })).toBeVisible();
  await expect(frame.getByRole('link', { name: /Twelve letters/ })).toHaveAttribute('target', '_blank');
  await expect(frame.getByRole('link', { name: 'View on Stoa' })).toHaveAttribute(
    'href',
    `${siteUrl}/profile/${creator.username}`,
  );
  await other.close();
  blog.close();
});

test('a new creator is guided to a public profile and sees the missing steps [e2e-75]', async ({
  context,
  page,
}) => {
  const newcomer = await makeNewcomer();
  await context.setStorageState(newcomer.browserState);
  await page.goto('/dashboard');
  const steps = page.getByRole('region', { name: /^Welcome to Stoa/ });
  await expect(steps.getByText(/^Why am I not listed\? Nobody but you/)).toBeVisible();
  await expectAccessible(page, 'dashboard-newcomer');
  expect((await fetchApi('GET', `/api/creators/${newcomer.username}`)).status).toBe(404);
  await steps.getByRole('link', { name: /^Save your profile/ }).click();
  await page.getByRole('radio', { name: 'A form that relays mail and hides my address' }).check();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByRole('heading', { name: 'Complete your page: 1 of 5' })).toBeVisible();
  expect((await fetchApi('GET', `/api/creators/${newcomer.username}`)).status).toBe(200);
});

test('on a phone the save button stays in the viewport [e2e-76]', async ({ signedInPage: page, creator }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await makeOffering(creator.token);
  for (const [address, name] of [
    ['/dashboard/edit-profile', 'Save Profile'],
    ['/dashboard/add-offering', 'Create Offering'],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    await expectAccessible(page, name, phone);
  }
  await fillOffering(page, 'Letters to the sea');
  await page.getByRole('button', { name: 'Create Offering' }).click();
  const note = page.getByRole('status').filter({ hasText: 'Your offering is published.' });
  // The button is the last element of the note, so the whole note is visible.
  await expect(note.getByRole('button', { name: 'Copy link' })).toBeInViewport({ ratio: 1 });
  await note.getByRole('link', { name: 'View' }).click();
  await expect(page).toHaveURL(`/profile/${creator.username}/letters-to-the-sea`);
});
