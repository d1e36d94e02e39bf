import { expect, type Page } from '@playwright/test';
import { look, phone, type Theme, themes, type Width } from '../screens/screen.ts';
import { examine } from './axe.ts';

const judged: readonly Width[] = [phone, 1280];

/**
 * Expects axe to find nothing on a page and the page not to scroll sideways, in both themes and at these widths.
 * STOA_PICTURES names a folder for a picture of each.
 */
export async function judge(page: Page, where: string, widths = judged): Promise<void> {
  const before = page.viewportSize();
  for (const width of widths) for (const theme of themes) await judgeOnce(page, where, width, theme);
  if (before) await page.setViewportSize(before);
}

async function judgeOnce(page: Page, where: string, width: Width, theme: Theme): Promise<void> {
  const how = `${where}, ${width} px, ${theme}`;
  await look(page, width, theme);
  expect.soft((await examine(page)).found, how).toEqual([]);
  expect.soft(await tooWide(page), `${how}: reaches beyond the right edge`).toEqual([]);
  const folder = process.env.STOA_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${how.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
}

/** What reaches beyond the right edge of a page that scrolls sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`.slice(0, 120));
  });
}
