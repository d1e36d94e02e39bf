import type { Page } from '@playwright/test';

/** Opens `address`; answers what its page shows of the API at `path`, whether it came with the page or was asked for. */
export async function openAndReadData<T>(page: Page, path: string, address: string): Promise<T> {
  const asked = page
    .waitForResponse((response) => new URL(response.url()).pathname === path)
    .catch(() => undefined);
  await page.goto(address);
  const given = JSON.parse((await page.locator('#stoa-answers').textContent()) ?? '{}') as Record<string, T>;
  return given[path] ?? ((await (await asked)?.json()) as T);
}

/** Comes to `path` from within the site, so that the browser asks for what the page shows. */
export async function navigateClientSide(page: Page, path: string): Promise<void> {
  await page.goto('/privacy');
  await page.locator('html[data-interactive]').waitFor();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
