import { chromium, type Page } from '@playwright/test';
import { embedPath, paths } from '@stoa/contracts';
import type { BrowserState } from '../src/browser-state.ts';
import { launchOptions } from '../src/chromium.ts';
import { makeFullCreator, newAccount } from '../src/creators.ts';
import { accountRoutes, creatorRoutes, publicRoutes } from '../src/screens/routes.ts';
import { settled } from '../src/settled.ts';
import { assignIpAddress, expect, test } from '../src/test.ts';
import { siteUrl } from '../src/system.ts';

// Text sizes in pixels: the browser's default, and a larger one from its settings.
const [usual, chosen] = [16, 24];
const phone = { width: 360, height: 740 };
// At this width headings have their minimum size, which depends only on the text size. Wider windows enlarge them.
const narrow = { width: 320, height: 740 };

const largeText = test.extend<{ openBrowser: (storageState?: BrowserState) => Promise<Page> }>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what a fixture needs.
  openBrowser: async ({}, use) => {
    const { args = [], ...options } = launchOptions();
    const browser = await chromium.launch({
      ...options,
      args: [...args, `--blink-settings=defaultFontSize=${chosen}`],
    });
    await use(async (storageState) => {
      const context = await browser.newContext({ baseURL: siteUrl(), viewport: phone, storageState });
      await assignIpAddress(context);
      return context.newPage();
    });
    await browser.close();
  },
});

/** The elements that are wider than the window; empty if the page fits. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const all = [...document.querySelectorAll('body *')];
    const beyond = all.filter((element) => element.getBoundingClientRect().right > innerWidth + 1);
    const innermost = beyond.filter(
      (element) => !beyond.some((one) => one !== element && element.contains(one)),
    );
    return innermost.map((element) => element.outerHTML.slice(0, 200));
  });
const sizeOf = (page: Page) =>
  page
    .getByRole('heading', { level: 1 })
    .first()
    .evaluate((heading) => parseFloat(getComputedStyle(heading).fontSize));

largeText('text grows with the size that a reader has set in the browser', async ({ page, openBrowser }) => {
  const creator = await makeFullCreator();
  const reader = await openBrowser();
  for (const one of [page, reader]) await one.setViewportSize(narrow);
  for (const path of [
    paths.about,
    paths.profile(creator.username),
    embedPath(creator.username),
    paths.login,
  ]) {
    for (const one of [page, reader]) {
      await one.goto(path);
      await settled(one);
    }
    expect.soft((await sizeOf(reader)) / (await sizeOf(page)), path).toBeCloseTo(chosen / usual, 2);
  }
});

largeText('pages for visitors do not scroll sideways at 360 px with large text', async ({ openBrowser }) => {
  largeText.slow();
  const creator = await makeFullCreator();
  const reader = await openBrowser();
  const embed = { name: 'embed', path: embedPath(creator.username) };
  for (const { name, path } of [...publicRoutes(creator), ...accountRoutes, embed]) {
    await reader.goto(path);
    await settled(reader);
    expect.soft(await tooWide(reader), name).toEqual([]);
  }
});

largeText(
  'the rooms of a creator do not scroll sideways at 360 px with large text',
  async ({ openBrowser }) => {
    largeText.slow();
    const account = newAccount();
    // A browser breaks an address only at certain positions, such as after a hyphen. This address has none.
    const email = `${'w'.repeat(48)}${account.username.replace('-', '')}@example.test`;
    const creator = await makeFullCreator({ ...account, email });
    const reader = await openBrowser(creator.browserState);
    for (const { name, path } of creatorRoutes(creator)) {
      await reader.goto(path);
      await settled(reader);
      expect.soft(await tooWide(reader), name).toEqual([]);
    }
  },
);
