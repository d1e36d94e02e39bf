import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

export async function expectNoComplaint(page: Page, where: string): Promise<void> {
  // What fades in is measured half transparent otherwise.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const complaints = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  );
  expect.soft(complaints, where).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page, where: string): Promise<void> {
  const tooWide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`.slice(0, 120));
  });
  expect.soft(tooWide, where).toEqual([]);
}

const windows = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

/** A page in both themes, on a phone and on a desk. STOA_PICTURES names a folder for a picture of each. */
export async function judge(page: Page, where: string): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of windows) {
      const how = `${where}, ${size.width} px, ${colorScheme}`;
      await page.setViewportSize(size);
      await expectNoSidewaysScroll(page, how);
      await expectNoComplaint(page, how);
      const folder = process.env.STOA_PICTURES;
      if (folder)
        await page.screenshot({ path: `${folder}/${how.replaceAll(/\W+/g, '-')}.png`, fullPage: true });
    }
  }
  if (before) await page.setViewportSize(before);
}
