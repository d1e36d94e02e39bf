import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

test('with prefers-reduced-motion the theme changes without a transition', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/');
  await settled(page);
  // In one step: an inherited colour that moves at all goes down the page by one element a frame.
  const moving = await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
    return document.getAnimations().length;
  });
  expect(moving).toBe(0);
});
