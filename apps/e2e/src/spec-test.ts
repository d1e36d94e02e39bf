import type { Browser, Page } from '@playwright/test';
import { type FullCreator, makeCreator, makeFullCreator, type TestCreator } from './creators.ts';
import type { BrowserState } from './browser-state.ts';
import { type LineId, lines } from './spec-lines.ts';
import { lineAnnotation } from './spec-row.ts';
import { theSystem } from './system.ts';
import { assignIpAddress, test as base } from './test.ts';

export { expect } from './test.ts';
export { row, rows } from './spec-row.ts';
export { lines } from './spec-lines.ts';

interface RowFixtures {
  /** The text of the test's first specification line, which the page must show. */
  words: string;
}

/** Returns a page at this path. Loads it only if the previous test used another path. */
type OpenPage = (path: string) => Promise<Page>;

interface SharedFixtures {
  /** A creator with content on every page. Tests that change data create their own. */
  resident: FullCreator;
  /** A creator with an account and an empty profile. */
  newcomer: TestCreator;
  /** Opens pages as a visitor, for tests that change nothing. They share one page of one browser. */
  openAsVisitor: OpenPage;
  /** Opens pages as `resident`, for tests that change nothing. */
  openAsResident: OpenPage;
}

export const test = base.extend<RowFixtures, SharedFixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what a fixture needs.
  words: async ({}, use, info) => {
    const line = info.annotations.find(({ type }) => type === lineAnnotation)?.description;
    await use(lines[line as LineId]);
  },
  // eslint-disable-next-line no-empty-pattern -- as above.
  resident: [async ({}, use) => use(await makeFullCreator()), { scope: 'worker' }],
  // eslint-disable-next-line no-empty-pattern -- as above.
  newcomer: [async ({}, use) => use(await makeCreator()), { scope: 'worker' }],
  openAsVisitor: [({ browser }, use) => onOnePage(browser, undefined, use), { scope: 'worker' }],
  openAsResident: [
    ({ browser, resident }, use) => onOnePage(browser, resident.browserState, use),
    { scope: 'worker' },
  ],
});

async function onOnePage(
  browser: Browser,
  storageState: BrowserState | undefined,
  use: (look: OpenPage) => Promise<void>,
): Promise<void> {
  // Playwright's configured options do not apply to fixtures of a worker, so they are set here.
  const context = await browser.newContext({
    baseURL: theSystem().siteUrl,
    locale: 'en-GB',
    timezoneId: 'UTC',
    storageState,
  });
  context.setDefaultTimeout(15_000);
  await assignIpAddress(context);
  const page = await context.newPage();
  let shown: string | undefined;
  await use(async (path) => {
    if (shown === path) return page;
    shown = undefined;
    await page.goto(path);
    shown = path;
    return page;
  });
  await context.close();
}

/** A test in whose browser `resident` is logged in. */
export const residentTest = test.extend({
  storageState: async ({ resident }, use) => use(resident.browserState),
});
