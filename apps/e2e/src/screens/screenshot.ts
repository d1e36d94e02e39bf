import { expect, type Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import type { Screen } from './screen.ts';

interface Screenshot {
  height: number;
  png: Buffer;
}

/** What fits into a document; a legal page goes on for much longer. */
const tallest = 1200;

/** The top of a page, or the window around what tells the screen from others of the same page. */
export async function screenshotOf(page: Page, { state }: Screen): Promise<Screenshot> {
  const window = page.viewportSize() ?? { width: 0, height: 0 };
  if (state) {
    await state(page).evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await expect(state(page)).toBeInViewport();
    return { height: window.height, png: await page.screenshot() };
  }
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const height = Math.min(whole, tallest);
  const clip = { x: 0, y: 0, width: window.width, height };
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
