import type { BrowserContext } from '@playwright/test';
import { realmUrl, theSystem } from './system.ts';

/** What a browser keeps between visits. */
export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The browser of somebody who has signed in: Keycloak's session in cookies, and the site's note that there may be one. */
export function signedInState(cookies: Readonly<Record<string, string>>): BrowserState {
  const { hostname: domain, pathname } = new URL(`${realmUrl()}/`);
  return {
    cookies: Object.entries(cookies).map(([name, value]) => ({
      name,
      value,
      domain,
      path: pathname,
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax',
    })),
    origins: [{ origin: theSystem().siteUrl, localStorage: [{ name: 'stoa.signed-in', value: '1' }] }],
  };
}
