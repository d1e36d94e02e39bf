import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { embedPath, paths } from '@stoa/contracts';
import { fetchApi, randomIpAddress } from '../src/api.ts';
import { makeOffering, saveProfile, upload } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { isTo, waitForMail } from '../src/mail-catcher.ts';
import { untilPageShows } from '../src/navigation.ts';
import { transparentPicture } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

// Visitors with forced colours, on paper, without scripts or without a network.

test('in forced colours buttons keep their edges', async ({ page, creator }) => {
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

test('in forced colours a transparent picture keeps its background', async ({ page, creator }) => {
  const cover = await upload(creator.token, 'offering-cover', await transparentPicture());
  const { slug, title } = await makeOffering(creator.token, { coverImageId: cover.id });
  await page.emulateMedia({ forcedColors: 'active' });
  for (const path of [
    embedPath(creator.username),
    paths.profile(creator.username),
    paths.offering(creator.username, slug),
  ]) {
    await untilPageShows(path, title);
    await page.goto(path);
    const picture = page.getByRole('main').locator('img').first();
    await expect(picture, path).toHaveCSS('background-color', 'rgb(118, 118, 118)');
  }
});

test('a printed profile has its address and QR code, and no report link', async ({ page, creator }) => {
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
  // The browser itself posts the form. The usual fixture adds a random client address only to API calls, so this adds one to
  // all requests.
  test.use({ javaScriptEnabled: false, extraHTTPHeaders: { 'x-forwarded-for': randomIpAddress() } });

  /** Loads the page again until the element is visible, because without scripts a page cannot load late data. */
  const reloadUntil = (page: Page, shown: Locator) =>
    expect(async () => {
      if (await shown.isVisible()) return;
      await page.reload();
      await expect(shown).toBeVisible({ timeout: 1000 });
    }).toPass();

  test('creators can be searched and filtered by niche [e2e-107]', async ({ page, creator }) => {
    const { token, displayName, username } = creator;
    await saveProfile(token, { displayName, niches: ['Healer'] });
    await page.goto('/browse-creators');
    const search = page.getByRole('search');
    const niche = search.getByRole('combobox', { name: 'Niche' });
    const text = search.getByRole('searchbox', { name: 'Search creators' });
    const show = search.getByRole('button', { name: 'Show Creators' });
    const found = page.getByRole('link', { name: displayName });
    await reloadUntil(page, show);
    await text.fill(username);
    await niche.selectOption('Healer');
    await show.click();
    await expect(page).toHaveURL(`/browse-creators?search=${username}&niche=Healer`);
    await reloadUntil(page, found);
    await expect(found).toHaveAttribute('href', `/profile/${username}`);
    await expect(text).toHaveValue(username);
    await expect(niche).toHaveValue('Healer');

    await niche.selectOption('Poet');
    await text.press('Enter');
    await expect(page).toHaveURL(`/browse-creators?search=${username}&niche=Poet`);
    await reloadUntil(page, page.getByText('No creators found matching your criteria.'));
    await expect(found).toHaveCount(0);

    await text.fill('');
    await niche.selectOption('All');
    await show.click();
    await expect(page).toHaveURL('/browse-creators?search=&niche=All');
    await reloadUntil(page, page.getByRole('link', { name: /^View Profile/ }).first());
    await expect(niche).toHaveValue('All');
  });

  test('the contact forms send messages, and errors keep the input [e2e-108]', async ({ page, creator }) => {
    const { token, displayName, username, email } = creator;
    await saveProfile(token, { displayName, contactBy: 'form' });
    await verifyEmail(creator);
    await untilPageShows(`/profile/${username}`, `href="/profile/${username}/contact"`);
    await page.goto(`/profile/${username}`);
    await page.getByRole('link', { name: 'Contact Me' }).click();
    for (const [path, thanks] of [
      [undefined, `Thanks for your message! It goes to @${username}, who answers by email.`],
      ['/contact', "Thanks for your message! We'll be in touch soon."],
    ] as const) {
      if (path) await page.goto(path);
      const mark = randomUUID().slice(0, 8);
      const { name, subject, message } = {
        name: 'Ann',
        subject: `Ink ${mark}`,
        message: `About ink.\nAnd ${mark}.`,
      };
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Email').fill('ann@localhost');
      await page.getByLabel('Subject').fill(`${subject} <b>"`);
      await page.getByLabel('Message').fill(`\n${message}\n</textarea><i>`);
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('alert')).toHaveText('Oops! There was a problem submitting your form.');
      await expect(page.getByLabel('Email')).toHaveAccessibleDescription('The email address is not valid.');
      await expect(page.getByLabel('Name')).toHaveValue(name);
      await expect(page.getByLabel('Subject')).toHaveValue(`${subject} <b>"`);
      await expect(page.getByLabel('Message')).toHaveValue(`\n${message}\n</textarea><i>`);
      await page.getByLabel('Email').fill('ann@example.test');
      await page.getByRole('button', { name: 'Send Message' }).click();
      await expect(page.getByRole('status')).toHaveText(thanks);
      const mail = await waitForMail((sent) => sent.subject.includes(subject));
      expect(mail.text).toContain(`${message}\n</textarea><i>`);
      if (!path) expect(isTo(email)(mail)).toBe(true);
    }
  });

  test('no page has a button or a field that needs scripts [e2e-109]', async ({ page, creator }) => {
    const { slug } = await makeOffering(creator.token);
    const { username } = creator;
    const at: Partial<Record<keyof typeof paths, string>> = {
      profile: paths.profile(username),
      offering: paths.offering(username, slug),
      contactCreator: paths.contactCreator(username),
      report: `${paths.report}?page=${paths.profile(username)}`,
      editOffering: paths.editOffering(creator.uid),
      download: paths.download(creator.uid, creator.uid),
      delivery: paths.delivery(creator.uid, creator.uid, 'key'),
    };
    const addresses = Object.entries(paths).map(([name, path]) =>
      typeof path === 'string' && !(name in at) ? path : (at[name as keyof typeof paths] ?? ''),
    );
    expect(addresses).not.toContain('');
    await untilPageShows(paths.profile(username), slug);
    for (const address of [
      ...addresses,
      '/no-such-page',
      `${paths.browse}?search=${username}`,
      embedPath(username),
    ]) {
      await page.goto(address);
      const dead = await page
        .locator('button, input, select, textarea, summary, [role=button], [tabindex="0"], a:not([href])')
        .evaluateAll((controls) =>
          controls
            .filter((control) => control.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
            .filter((control) => control.closest('form[action]') === null)
            .map((control) => control.outerHTML.slice(0, 120)),
        );
      expect(dead, address).toEqual([]);
      const forms = await page
        .locator('form[action]')
        .evaluateAll((all) =>
          all.map((form) => [form.getAttribute('method') ?? 'get', form.getAttribute('action')]),
        );
      for (const [method = '', action = ''] of forms as string[][]) {
        const answered = await fetchApi(method.toUpperCase(), action);
        expect([404, 405], `${address}: ${method} ${action}`).not.toContain(answered.status);
      }
    }
  });
});

test('a page without network shows its drawing without a reference, and recovers', async ({
  dashboardPage: page,
  context,
}) => {
  const summary = page.getByRole('complementary', { name: 'Your profile' });
  // Visits the page first, so that its code is loaded before the network fails.
  await summary.getByRole('link', { name: 'Account and Security' }).click();
  await expect(page.getByText('Loading your sessions...')).toHaveCount(0);
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page.getByRole('heading', { name: 'Your Offerings (0)' })).toBeVisible();
  await page.getByRole('link', { name: 'All numbers' }).click();
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
  test(`at ${viewport.width} px one toast at a time is at the bottom and covers no action [e2e-110]`, async ({
    dashboardPage: page,
    creator,
  }) => {
    await page.setViewportSize(viewport);
    await makeOffering(creator.token, { title: 'Letters' });
    await page.reload();
    const toast = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Dismiss' }) });
    const rows = page.getByRole('region', { name: /^Your Offerings/ }).getByRole('article');
    for (const count of [2, 3]) {
      await page.getByRole('button', { name: 'More for Letters', exact: true }).click();
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
    const menu = page.getByRole('button', { name: 'Open menu' });
    // On a narrow screen the items are in a menu, on a wide one in the header.
    if (await menu.isVisible()) {
      await menu.click();
      await expect(toast).toHaveCount(1);
      await page.getByRole('button', { name: 'Close menu' }).click();
      await page.getByRole('button', { name: 'Dark theme' }).click({ trial: true });
    }
  });
