import type { Locator } from '@playwright/test';
import { embedPath, paths } from '@stoa/contracts';
import { makeFullCreator } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

/** Measures a picture: its width, and the diagonal distance from each corner to its visible outline. */
const shapeOf = (face: Locator) =>
  face.evaluate((image) => {
    image.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { left, right, top, bottom, width } = image.getBoundingClientRect();
    const stepsFrom = (x: number, y: number, across: number, down: number) => {
      // On a card a link covers the picture, so the whole list of elements at the point is needed.
      const isThere = (step: number) =>
        document.elementsFromPoint(x + across * (step + 0.5), y + down * (step + 0.5)).includes(image);
      let step = 0;
      while (step < width && !isThere(step)) step += 1;
      return step;
    };
    return {
      width,
      upper: [stepsFrom(left, top, 1, 1), stepsFrom(right, top, -1, 1)],
      lower: [stepsFrom(left, bottom, 1, -1), stepsFrom(right, bottom, -1, -1)],
    };
  });

test('the profile picture is an arch with round lower corners on each page', async ({ page }) => {
  const { username, displayName } = await makeFullCreator();
  const places = [
    [`${paths.browse}?search=${username}`, page.getByRole('img', { name: displayName })],
    [paths.profile(username), page.getByRole('img', { name: displayName })],
    [embedPath(username), page.getByRole('main').locator('img').first()],
  ] as const;
  for (const viewport of [360, 768, 1280]) {
    await page.setViewportSize({ width: viewport, height: 800 });
    for (const [address, face] of places) {
      await page.goto(address);
      await expect(face).toBeVisible();
      const { width, upper, lower } = await shapeOf(face);
      const place = `${address} at ${viewport} px`;
      // In a corner with a quarter circle, the diagonal distance is 0.29 of the radius.
      const arch = 0.29 * (width / 2);
      for (const steps of upper) expect(Math.abs(steps - arch), place).toBeLessThanOrEqual(2);
      expect(Math.min(...lower), place).toBeGreaterThanOrEqual(3);
      expect(Math.max(...lower), place).toBeLessThanOrEqual(6);
    }
  }
});
