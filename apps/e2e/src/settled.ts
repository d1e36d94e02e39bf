import { expect, type Page } from '@playwright/test';

/** Waits until a page has painted what it has come to know by now: that is there with its second frame from now. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Waits until a page shows what it has come to show: taken over by its code, nothing loading any more, its pictures and fonts there. */
export async function settled(page: Page): Promise<void> {
  // Only after it has loaded does a page ask for its code. Keycloak's pages have none.
  await page.waitForFunction(
    () => !document.getElementById('root') || 'interactive' in document.documentElement.dataset,
  );
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.getByText(/^(Loading|Preparing|Taking you) .*\.\.\.$/)).toHaveCount(0);
  await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const near = [...document.images].filter(
      (image) =>
        // What is not rendered may never be decoded.
        image.checkVisibility() &&
        (image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight),
    );
    await Promise.all(near.map((image) => image.decode().catch(() => undefined)));
  });
}
