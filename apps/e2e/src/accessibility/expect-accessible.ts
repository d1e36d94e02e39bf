import { expect, type Page } from '@playwright/test';
import { setViewportAndTheme, phone, type Theme, type Width } from '../screens/screen.ts';
import { runAxe } from './axe.ts';

/**
 * Expects no finding of axe and no horizontal scrolling, in two combinations of width and theme; the report covers all.
 * STOA_PICTURES names a folder for screenshots.
 */
export async function expectAccessible(page: Page, where: string, widest: Width = 1280): Promise<void> {
  const before = page.viewportSize();
  await expectAccessibleAt(page, where, phone, 'light');
  await expectAccessibleAt(page, where, widest, 'dark');
  if (before) await page.setViewportSize(before);
}

async function expectAccessibleAt(page: Page, where: string, width: Width, theme: Theme): Promise<void> {
  const how = `${where}, ${width} px, ${theme}`;
  await setViewportAndTheme(page, width, theme);
  const { violations, incomplete } = await runAxe(page);
  expect.soft(violations, how).toEqual([]);
  expect.soft(incomplete, `${how}: open in axe, and without a decision`).toEqual([]);
  expect.soft(await tooWide(page), `${how}: overflows the right edge`).toEqual([]);
  const folder = process.env.STOA_PICTURES;
  if (folder) await page.screenshot({ path: `${folder}/${how.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
}

/** The elements that are wider than a page; empty if it does not scroll horizontally. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`.slice(0, 120));
  });
}
