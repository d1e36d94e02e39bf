import { expect, type Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import type { Screen } from './screen.ts';

interface Screenshot {
  height: number;
  png: Buffer;
}

/** The greatest height of a screenshot. Legal pages are much longer. */
const tallest = 1200;
/** The margin around a region that is higher than the window. */
const beside = 24;

/** A screenshot of the top of a page, or of the part around the element that distinguishes the screen. */
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
  // The window gets the height of the screenshot. Otherwise a sticky footer would be in the middle.
  await page.setViewportSize({ width: window.width, height });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const png = await page.screenshot();
  await page.setViewportSize(window);
  return { height, png };
}

/** A screenshot of `length` pixels from `from` downwards. */
async function partOf(page: Page, from: number, length: number): Promise<Screenshot> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const height = Math.min(length, tallest);
  const clip = { x: 0, y: from, width, height };
  return { height, png: await page.screenshot({ fullPage: true, clip }) };
}

/** Ensures that no two screens are identical, because then one state is not visible. */
export class DistinctScreenshots {
  readonly #seen = new Map<string, string>();

  /** @throws Error if another screen has the same bytes. */
  add(name: string, picture: Buffer): void {
    const digest = createHash('sha256').update(picture).digest('hex');
    const other = this.#seen.get(digest) ?? name;
    if (other !== name) throw new Error(`${name} is identical to ${other}.`);
    this.#seen.set(digest, name);
  }
}
