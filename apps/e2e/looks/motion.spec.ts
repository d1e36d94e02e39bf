import type { Page } from '@playwright/test';
import { makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';
import { settled } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

test('with prefers-reduced-motion the theme changes without a transition [e2e-173]', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/');
  await settled(page);
  // All colours must change together. A transition of an inherited colour would reach one element per frame.
  const moving = await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
    return document.getAnimations().length;
  });
  expect(moving).toBe(0);
});

/** Records the animations of each view transition from now on. */
async function noteMoving(page: Page): Promise<() => Promise<string[][]>> {
  await page.addInitScript(() => {
    const start = document.startViewTransition.bind(document);
    const seen = window as unknown as { moving: string[][] };
    seen.moving = [];
    document.startViewTransition = (update) => {
      const transition = start(update);
      const note = () =>
        seen.moving.push(
          document
            .getAnimations()
            .map(({ effect }) => (effect instanceof KeyframeEffect && effect.pseudoElement) || ''),
        );
      void transition.ready.then(note, () => undefined);
      return transition;
    };
  });
  return () => page.evaluate(() => (window as unknown as { moving: string[][] }).moving);
}

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`the picture of a card morphs into the profile, and clicks work: ${reducedMotion} [e2e-174]`, async ({
    page,
  }) => {
    const { token, username, displayName } = await makeCreator();
    await saveProfile(token, {
      displayName,
      profileImageId: (await upload(token, 'profile-picture')).id,
    });
    await page.emulateMedia({ reducedMotion });
    const moving = await noteMoving(page);
    await page.goto(`/browse-creators?search=${username}`);
    await settled(page);
    await page.getByRole('link', { name: `View Profile of ${displayName}` }).click();
    await expect.poll(async () => (await moving()).length).toBe(1);
    // `force` skips Playwright's check that the element stands still.
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'About Us' })
      .click({ force: true });
    await expect(page).toHaveURL('/about');
    // Ignores other animations, such as the hover effect of a card.
    const parts = (await moving())[0]?.filter(Boolean) ?? [];
    expect(parts.filter((part) => !part.endsWith('(face)'))).toEqual([]);
    expect(parts.length > 0).toBe(reducedMotion === 'no-preference');
  });
}

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`the cover of an offering morphs into its page: ${reducedMotion} [e2e-175]`, async ({ page }) => {
    const { token, username } = await makeCreator();
    const { title, slug } = await makeOffering(token, { title: 'What the River Kept' });
    await makeOffering(token, { title: 'Ink' });
    await page.emulateMedia({ reducedMotion });
    const moving = await noteMoving(page);
    await page.goto(`/profile/${username}`);
    await settled(page);
    await page.getByRole('link', { name: title, exact: true }).click();
    await expect(page).toHaveURL(`/profile/${username}/${slug}`);
    await expect.poll(async () => (await moving()).length).toBe(1);
    const parts = (await moving())[0]?.filter(Boolean) ?? [];
    expect(parts.filter((part) => !/[(](cover|face)[)]$/.test(part))).toEqual([]);
    expect(parts.some((part) => part.endsWith('(cover)'))).toBe(reducedMotion === 'no-preference');
  });
}
