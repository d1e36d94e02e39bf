import type { Page } from '@playwright/test';
import { makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';
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

/** What moves in each view transition from here on. */
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
  test(`the picture of a card goes over to the profile, and no click is lost: ${reducedMotion}`, async ({
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
    // Where the pointer is, without a look at whether something moves still.
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'About Us' })
      .click({ force: true });
    await expect(page).toHaveURL('/about');
    // What else moves is no part of it, as a card that the pointer leaves.
    const parts = (await moving())[0]?.filter(Boolean) ?? [];
    expect(parts.filter((part) => !part.endsWith('(face)'))).toEqual([]);
    expect(parts.length > 0).toBe(reducedMotion === 'no-preference');
  });
}

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`the cover of an offering goes over to its page: ${reducedMotion}`, async ({ page }) => {
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
