import { embedPath } from '@stoa/contracts';
import { makeOffering, saveProfile } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

// Readers without colours of the site, on paper, without scripts and without a network.

test('in forced colours the buttons of pages and of embedded profiles keep their edges', async ({
  page,
  creator,
}) => {
  await makeOffering(creator.token);
  await page.emulateMedia({ forcedColors: 'active' });
  for (const [path, name] of [
    [embedPath(creator.username), 'View on Stoa'],
    [`/profile/${creator.username}`, /^Access Now/],
    ['/', 'Join Now'],
  ] as const) {
    await page.goto(path);
    const edge = page
      .getByRole('link', { name })
      .first()
      .evaluate((button) => {
        const { borderTopWidth, borderTopStyle } = getComputedStyle(button);
        return `${borderTopWidth} ${borderTopStyle}`;
      });
    expect(await edge, path).toBe('1px solid');
  }
});

test('a printed profile has its address and a code of it, and no way to report it', async ({
  page,
  creator,
}) => {
  const code = page.waitForResponse('**/assets/print-address-*.js');
  await page.goto(`/profile/${creator.username}`);
  await (await code).finished();
  await page.emulateMedia({ media: 'print' });
  const address = `${new URL(page.url()).origin}/profile/${creator.username}`;
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      return page.getByRole('img', { name: `QR code of ${address}` }).isVisible();
    })
    .toBe(true);
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  await expect(page.getByText('Report this page')).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('creators are chosen by niche', async ({ page, creator }) => {
    const { token, displayName } = creator;
    await saveProfile(token, { displayName, niches: ['Healer'] });
    const niche = page.getByRole('combobox', { name: 'Niche' });
    await page.goto('/browse-creators');
    await expect(page.getByLabel('Search creators')).toBeHidden();
    await niche.selectOption('Healer');
    await page.getByRole('button', { name: 'Show Creators' }).click();
    await expect(page).toHaveURL('/browse-creators?niche=Healer');
    await expect(niche).toHaveValue('Healer');
    await expect(page.getByRole('link', { name: /^View Profile/ }).first()).toBeVisible();
    await niche.selectOption('All');
    await page.getByRole('button', { name: 'Show Creators' }).click();
    await expect(niche).toHaveValue('All');
  });
});

test('a room that lost its network has its drawing and no reference, and recovers by itself', async ({
  dashboardPage: page,
  context,
}) => {
  const summary = page.getByRole('complementary', { name: 'Your profile' });
  // The code of the room is there before the network goes.
  await summary.getByRole('link', { name: 'Account and Security' }).click();
  await expect(page.getByText('Loading your sessions...')).toHaveCount(0);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page.getByRole('heading', { name: 'Your Offerings (0)' })).toBeVisible();
  await page.getByRole('region', { name: 'Numbers' }).waitFor();
  await context.setOffline(true);
  await page.getByRole('button', { name: '90 days' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'You are offline.' });
  await expect(failure).toBeVisible();
  await expect(failure).not.toContainText('Reference');
  await expect(failure.locator('svg')).toBeVisible();
  await context.setOffline(false);
  await expect(failure).toHaveCount(0);
  await expect(page.getByText('No visits yet. Share your page.')).toBeVisible();
});

for (const viewport of [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
])
  test(`at ${viewport.width} px toasts are low, one at a time, and over no action of a row`, async ({
    dashboardPage: page,
    creator,
  }) => {
    await page.setViewportSize(viewport);
    await makeOffering(creator.token, { title: 'Letters' });
    await page.reload();
    const toast = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });
    const rows = page.getByRole('region', { name: /^Your Offerings/ }).getByRole('article');
    for (const count of [2, 3]) {
      await page.getByRole('button', { name: 'Duplicate Letters', exact: true }).click();
      await expect(rows).toHaveCount(count);
    }
    await expect(toast).toHaveCount(1);
    const low = await toast.boundingBox();
    expect(low?.height).toBeLessThanOrEqual(64);
    const header = await page.getByRole('banner').boundingBox();
    expect((low?.y ?? 0) + (low?.height ?? 0)).toBeLessThanOrEqual(
      (header?.y ?? 0) + (header?.height ?? 0) + 1,
    );
    const text = await toast.innerText();
    expect(text.length).toBeLessThanOrEqual(60);
  });
