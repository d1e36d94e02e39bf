import { expect, type Page } from '@playwright/test';
import { fetchApi } from './api.ts';

const textOf = async (path: string) => (await fetchApi('GET', path)).text();

/**
 * Waits until the page at `path` contains `text`. After a change the gateway may serve an older page, and a browser that
 * loads it keeps its data for 30 seconds. So tests call this before they open the page.
 */
export const untilPageShows = (path: string, text: string, timeout = 30_000): Promise<void> =>
  expect.poll(() => textOf(path), { message: `${path} shows ${text}`, timeout }).toContain(text);

/** Waits until the page contains the texts in this order (first occurrence of each). */
export const untilPageLists = (path: string, texts: readonly string[]): Promise<void> =>
  expect
    .poll(
      async () => {
        const page = await textOf(path);
        if (!texts.every((text) => page.includes(text))) return [];
        return texts.toSorted((one, other) => page.indexOf(one) - page.indexOf(other));
      },
      { message: `${path} lists ${texts.join(', ')}`, timeout: 30_000 },
    )
    .toEqual(texts);

/** Waits until the server renders the page with all data. If data takes too long, the server leaves it to the browser. */
export const untilPageIsComplete = (path: string): Promise<void> =>
  expect
    .poll(
      async () => {
        const response = await fetchApi('GET', path);
        return response.status < 500 && !(await response.text()).includes('as="fetch"');
      },
      { message: `${path} is complete`, timeout: 30_000 },
    )
    .toBe(true);

export const untilPageIs = (path: string, status: number, timeout = 30_000): Promise<void> =>
  expect
    .poll(async () => (await fetchApi('GET', path)).status, { message: `${path} is ${status}`, timeout })
    .toBe(status);

/** Opens `address`, and returns the API's data for `path`: from the page itself, or from a request of the page. */
export async function openAndReadData<T>(page: Page, path: string, address: string): Promise<T> {
  const fetched = page
    .waitForResponse((response) => new URL(response.url()).pathname === path)
    .catch(() => undefined);
  await page.goto(address);
  const given = JSON.parse((await page.locator('#stoa-answers').textContent()) ?? '{}') as Record<string, T>;
  return given[path] ?? ((await (await fetched)?.json()) as T);
}

/** Navigates to `path` within the site, so that the browser itself must request the data. */
export async function navigateClientSide(page: Page, path: string): Promise<void> {
  await page.goto('/privacy');
  await page.locator('html[data-interactive]').waitFor();
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}
