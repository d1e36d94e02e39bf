import type { BrowserContext } from '@playwright/test';
import { realmUrl, theSystem } from './system.ts';

export type BrowserState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** State of a browser with a session: Keycloak's cookies, and the site's hint in local storage that there is a session. */
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
