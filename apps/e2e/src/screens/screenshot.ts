import { expect, type Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import type { Screen } from './screen.ts';

interface Screenshot {
  height: number;
  png: Buffer;
}

/** Maximum height of a screenshot in pixels, because legal pages are much longer. */
const tallest = 1200;
/** Margin in pixels around an element that is higher than the window. */
const beside = 24;

/** A screenshot of the top of a page, or of the element that is special on this screen. */
export async function screenshotOf(page: Page, { state }: Screen): Promise<Screenshot> {
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  const region = state && (await state(page).boundingBox());
  if (region && region.height > window.height) {
    const scrolled = await page.evaluate(() => scrollY);
    return partOf(page, Math.max(0, region.y + scrolled - beside), region.height + 2 * beside);
  }
  if (state) {
    await state(page).evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await expect(state(page)).toBeInViewport();
    return { height: window.height, png: await page.screenshot() };
  }
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const height = Math.min(whole, tallest);
  // Sets the window to the height of the screenshot. Otherwise a sticky footer would be in its middle.
  await page.setViewportSize({ width: window.width, height });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const png = await page.screenshot();
  await page.setViewportSize(window);
  return { height, png };
}

/** A screenshot of `length` pixels, beginning at `from`. */
async function partOf(page: Page, from: number, length: number): Promise<Screenshot> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const height = Math.min(length, tallest);
  const clip = { x: 0, y: from, width, height };
  return { height, png: await page.screenshot({ fullPage: true, clip }) };
}

/** Finds screens that are identical: then the special state of one of them is not visible. */
export class DistinctScreenshots {
  readonly #seen = new Map<string, string>();

  /** @throws Error if another screen has the same bytes */
  add(name: string, picture: Buffer): void {
    const digest = createHash('sha256').update(picture).digest('hex');
    const other = this.#seen.get(digest) ?? name;
    if (other !== name) throw new Error(`${name} is identical to ${other}.`);
    this.#seen.set(digest, name);
  }
}
