import type { BrowserContext } from '@playwright/test';
import { makeFullCreator } from './creators.ts';
import { logIn } from './sign-in.ts';
import { type LineId, lines } from './spec-lines.ts';
import { lineMark } from './spec-row.ts';
import { theSystem } from './system.ts';
import { test as base } from './test.ts';

export { expect } from './test.ts';
export { row } from './spec-row.ts';

type SignedIn = Awaited<ReturnType<typeof makeFullCreator>> & {
  browserState: Awaited<ReturnType<BrowserContext['storageState']>>;
};

interface RowFixtures {
  /** The words of the row's line, to look for on the page. */
  words: string;
}

interface SharedFixtures {
  /** A creator with something on every page, signed in once. Rows that change what is stored make their own. */
  resident: SignedIn;
}

export const test = base.extend<RowFixtures, SharedFixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what a fixture needs.
  words: async ({}, use, info) => {
    const line = info.annotations.find(({ type }) => type === lineMark)?.description;
    await use(lines[line as LineId]);
  },
  resident: [
    async ({ browser }, use) => {
      const creator = await makeFullCreator();
      const context = await browser.newContext({ baseURL: theSystem().siteUrl });
      const page = await context.newPage();
      await page.goto('/login');
      await logIn(page, creator);
      await page.waitForURL(/\/(dashboard|create-profile)$/);
      const browserState = await context.storageState();
      await context.close();
      await use({ ...creator, browserState });
    },
    { scope: 'worker' },
  ],
});

/** The same in the browser of the resident, who is still signed in there. */
export const residentTest = test.extend({
  storageState: async ({ resident }, use) => use(resident.browserState),
});
