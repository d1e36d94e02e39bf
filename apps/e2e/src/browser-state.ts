import type { BrowserContext } from '@playwright/test';
import { realmUrl, theSystem } from './system.ts';

/** The stored state of a browser: cookies and local storage. */
export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** The state of a signed-in browser: Keycloak's session cookies and the site's hint in local storage. */
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
