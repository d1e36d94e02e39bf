import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { randomIpAddress } from './api.ts';
import { makeCreator, type TestCreator } from './creators.ts';
import { realmUrl, theSystem } from './system.ts';

interface Fixtures {
  /** A creator that only this test uses. */
  creator: TestCreator;
  /** An empty page of a browser in which the creator is logged in. */
  signedInPage: Page;
  /** A page of that browser that shows the dashboard. */
  dashboardPage: Page;
}

export const test = base.extend<Fixtures>({
  context: async ({ context }, use) => {
    await assignIpAddress(context);
    const refused = watchPolicy(context);
    const differing = watchFirstRender(context);
    await use(context);
    expect(refused, "what the site's content security policy refused its own pages").toEqual([]);
    expect(differing, 'hydration differences between browser and server').toEqual([]);
  },
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the pattern to know what a fixture needs.
  creator: async ({}, use) => use(await makeCreator()),
  // Sets the cookies of a session, because other tests cover Keycloak's log-in page.
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

/** Gives the requests of this browser a random network address, so that tests do not share rate limits. */
export async function assignIpAddress(context: BrowserContext): Promise<void> {
  const address = randomIpAddress();
  for (const calls of [`${theSystem().siteUrl}/api/**`, `${realmUrl()}/**`])
    await context.route(calls, (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-forwarded-for': address } }),
    );
}

/** Records violations of the content policy, such as inline styles, which the browser's console reports. */
function watchPolicy(context: BrowserContext): string[] {
  const refused: string[] = [];
  context.on('console', (message) => {
    const ours = message.page()?.url().startsWith(theSystem().siteUrl);
    if (ours && /Content Security Policy|Trusted ?(Type|Script|HTML)/i.test(message.text()))
      refused.push(message.text());
  });
  return refused;
}

/** Records React's hydration errors: the server has rendered another page than React renders. */
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
