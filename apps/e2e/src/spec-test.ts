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
  /** The words of the row's line, to look for on the page; of the first, where an act shows several. */
  words: string;
}

/** Answers a page at this address, loaded anew only when the row before it looked elsewhere. */
type Look = (path: string) => Promise<Page>;

interface SharedFixtures {
  /** A creator with something on every page. Rows that change what is stored make their own. */
  resident: FullCreator;
  /** A creator with nothing but an account. */
  newcomer: TestCreator;
  /** For rows that look at what a visitor sees, and touch nothing: they share one page of one browser. */
  lookAsVisitor: Look;
  /** The same for what the resident sees. */
  lookAsResident: Look;
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
  lookAsVisitor: [({ browser }, use) => onOnePage(browser, undefined, use), { scope: 'worker' }],
  lookAsResident: [
    ({ browser, resident }, use) => onOnePage(browser, resident.browserState, use),
    { scope: 'worker' },
  ],
});

async function onOnePage(
  browser: Browser,
  storageState: BrowserState | undefined,
  use: (look: Look) => Promise<void>,
): Promise<void> {
  // What the configuration gives each test's own browser reaches no fixture of a worker.
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

/** The same in the browser of the resident, who is still signed in there. */
export const residentTest = test.extend({
  storageState: async ({ resident }, use) => use(resident.browserState),
});
