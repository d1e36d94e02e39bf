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

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`pages change in a view transition that moves nothing with reduced motion: ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await page.addInitScript(() => {
      const start = document.startViewTransition.bind(document);
      const seen = window as unknown as { moving: number[] };
      seen.moving = [];
      document.startViewTransition = (update) => {
        const transition = start(update);
        const note = () => seen.moving.push(document.getAnimations().length);
        // One that the next click has cut short never gets that far.
        void transition.ready.then(note, () => undefined);
        return transition;
      };
    });
    await page.goto('/');
    await settled(page);
    const links = page.getByRole('navigation', { name: 'Main' });
    const moving = () => page.evaluate(() => (window as unknown as { moving: number[] }).moving);
    await links.getByRole('link', { name: 'About Us' }).click();
    await expect.poll(async () => (await moving()).length).toBe(1);
    // Without a look at whether something moves still: the next click is not held up.
    await links.getByRole('link', { name: 'Browse Creators' }).click({ force: true });
    await expect(page).toHaveURL('/browse-creators');
    await expect(page.getByRole('heading', { level: 1, name: 'Browse Creators' })).toBeVisible();
    const [first = 0] = await moving();
    if (reducedMotion === 'reduce') expect(first).toBe(0);
    else expect(first).toBeGreaterThan(0);
  });
}
