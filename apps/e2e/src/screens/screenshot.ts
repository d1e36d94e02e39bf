import { expect, type Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import type { Screen } from './screen.ts';

interface Screenshot {
  height: number;
  png: Buffer;
}

/** What fits into a document; a legal page goes on for much longer. */
const tallest = 1200;
/** What is seen around a region that fits no window. */
const beside = 24;

/** The top of a page, or the window around what tells the screen from others of the same page. */
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
  // A window as high as the picture: what sticks to its lower edge would stand in the midst.
  await page.setViewportSize({ width: window.width, height });
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  const png = await page.screenshot();
  await page.setViewportSize(window);
  return { height, png };
}

/** What is seen of a page from there on. */
async function partOf(page: Page, from: number, length: number): Promise<Screenshot> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const height = Math.min(length, tallest);
  const clip = { x: 0, y: from, width, height };
  return { height, png: await page.screenshot({ fullPage: true, clip }) };
}

/** Two screens that look alike are one screen, or a state that does not show. */
export class DistinctScreenshots {
  readonly #seen = new Map<string, string>();

  /** @throws Error when a screen of another name looks the same to the byte. */
  add(name: string, picture: Buffer): void {
    const digest = createHash('sha256').update(picture).digest('hex');
    const other = this.#seen.get(digest) ?? name;
    if (other !== name) throw new Error(`${name} looks like ${other}.`);
    this.#seen.set(digest, name);
  }
}
