import { expect, type Page } from '@playwright/test';

/** Waits for two frames. Then the page has painted its current state. */
export const painted = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Waits until a page is interactive, and has loaded its data, pictures and fonts. */
export async function settled(page: Page): Promise<void> {
  // Pages of the site load their code after the load event. Keycloak's pages have no such code.
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
        // Ignores hidden pictures, which the browser may never decode.
        image.checkVisibility() &&
        (image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight),
    );
    await Promise.all(near.map((image) => image.decode().catch(() => undefined)));
  });
}
