import type { Page } from '@playwright/test';
import { expect, test } from '../src/test.ts';

const widths = [360, 768, 1280];

/** Size, colours and positions of the header, which must be equal on the site and on Keycloak's pages. */
function headerOf(page: Page) {
  return page.getByRole('banner').evaluate((header) => {
    const { backgroundColor, borderBottom, backdropFilter, opacity } = getComputedStyle(header);
    const places = [...header.querySelectorAll('a, button')].flatMap((part) => {
      const { x, y, height } = part.getBoundingClientRect();
      return height > 0
        ? [[part.getAttribute('aria-label') ?? part.textContent.trim(), Math.round(x), Math.round(y)]]
        : [];
    });
    const { height, top } = header.getBoundingClientRect();
    places.sort(([, first], [, second]) => Number(first) - Number(second));
    return { height, top, backgroundColor, borderBottom, backdropFilter, opacity, places };
  });
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`the header is the same on the site and the log-in, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/about');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const there = await headerOf(page);
      // An opaque header hides the content that scrolls below it.
      expect(there).toMatchObject({ backdropFilter: 'none', opacity: '1' });
      expect(there.backgroundColor).toMatch(/^rgb\(/);
      await page.goto('/login');
      await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
      expect([width, await headerOf(page)]).toEqual([width, there]);
    }
  });

test('the parts of the log-in form have even gaps and do not overlap', async ({ page }) => {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/login');
    const boxOf = async (part: ReturnType<Page['getByRole']>) => {
      const box = await part.boundingBox();
      if (!box) throw new Error('The part is not shown');
      return { ...box, middle: box.y + box.height / 2, end: box.y + box.height };
    };
    const tick = await boxOf(page.getByRole('checkbox', { name: 'Stay signed in on this device' }));
    const words = await boxOf(page.getByText('Stay signed in on this device'));
    const forgot = await boxOf(page.getByRole('link', { name: 'Forgot password?' }));
    const field = await boxOf(page.getByRole('textbox', { name: 'Password', exact: true }));
    expect(Math.abs(tick.middle - words.middle)).toBeLessThanOrEqual(1);
    const rowEnd = Math.max(tick.end, words.end);
    expect(forgot.y - rowEnd).toBeGreaterThanOrEqual(14);
    expect(forgot.y - rowEnd).toBeLessThanOrEqual(18);
    expect(Math.min(tick.y, words.y) - field.end).toBeGreaterThanOrEqual(14);
    expect(Math.min(tick.y, words.y) - field.end).toBeLessThanOrEqual(19);
  }
});
