import type { Locator } from '@playwright/test';
import { expect, test } from '../src/test.ts';

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (!box) throw new Error('The part is not shown');
  const [y, height] = [Math.round(box.y), Math.round(box.height)];
  return { y, height };
}

test('the fields of a workshop are aligned and equally high', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/add-offering');
  await page.getByLabel('Type').selectOption('Workshop');
  for (const width of [768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const group = page.getByRole('group', { name: 'Date and seats' });
    for (const pair of [
      ['Start', 'End'],
      ['Time zone', 'Seats left'],
    ]) {
      const [left, right] = await Promise.all(
        pair.map((label) => boxOf(group.getByLabel(label, { exact: true }))),
      );
      expect([width, ...pair, left?.y, left?.height]).toEqual([width, ...pair, right?.y, right?.height]);
    }
  }
});

test('names of palettes do not break within a word, and their tiles are equally high', async ({
  signedInPage: page,
}) => {
  await page.goto('/dashboard/edit-profile');
  const group = page.getByRole('group', { name: 'Colours' });
  await expect(group.getByRole('radio').first()).toBeVisible();
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const tiles = await group.locator('label').all();
    const heights = await Promise.all(tiles.map(async (tile) => (await boxOf(tile)).height));
    expect([width, new Set(heights).size]).toEqual([width, 1]);
    const broken = await group.locator('label > span:not(:empty)').evaluateAll((names) =>
      names
        .filter((name) => name.textContent.trim() && !name.textContent.trim().includes(' '))
        .filter((name) => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return range.getClientRects().length > 1;
        })
        .map((name) => name.textContent),
    );
    expect([width, broken]).toEqual([width, []]);
  }
});
