import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { randomIpAddress } from './api.ts';
import { makeCreator, type TestCreator } from './creators.ts';
import { realmUrl, theSystem } from './system.ts';

interface Fixtures {
  /** A creator of this test's own. */
  creator: TestCreator;
  /** A page of a browser in which that creator is signed in; nothing is open on it yet. */
  signedInPage: Page;
  /** The same at the dashboard. */
  dashboardPage: Page;
}

export const test = base.extend<Fixtures>({
  context: async ({ context }, use) => {
    await assignIpAddress(context);
    const refused = watchPolicy(context);
    const differing = watchFirstRender(context);
    await use(context);
    expect(refused, "what the site's content security policy refused its own pages").toEqual([]);
    expect(differing, 'what a browser rendered otherwise than the server').toEqual([]);
  },
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what a fixture needs.
  creator: async ({}, use) => use(await makeCreator()),
  // Keycloak's login page has rows and tests of its own.
  signedInPage: async ({ context, page, creator }, use) => {
    await context.setStorageState(creator.browserState);
    await use(page);
  },
  dashboardPage: async ({ signedInPage: page }, use) => {
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
    await use(page);
  },
});

/** Calls of this browser come from an address of its own: visitors do not share one either. */
export async function assignIpAddress(context: BrowserContext): Promise<void> {
  const address = randomIpAddress();
  for (const calls of [`${theSystem().siteUrl}/api/**`, `${realmUrl()}/**`])
    await context.route(calls, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': address } }),
    );
}

/** What browsers say when a page does what its policy does not let through, such as styling itself or making markup from text. */
function watchPolicy(context: BrowserContext): string[] {
  const refused: string[] = [];
  context.on('console', (message) => {
    const ours = message.page()?.url().startsWith(theSystem().siteUrl);
    if (ours && /Content Security Policy|Trusted ?(Type|Script|HTML)/i.test(message.text()))
      refused.push(message.text());
  });
  return refused;
}

/** What React says when the page that came is not what it renders itself. */
function watchFirstRender(context: BrowserContext): string[] {
  const differing: string[] = [];
  context.on('weberror', (error) => {
    const { message } = error.error();
    if (/React error #(418|419|42[1-5])\b/.test(message))
      differing.push(`${error.page()?.url()}: ${message}`);
  });
  return differing;
}

export { expect };
