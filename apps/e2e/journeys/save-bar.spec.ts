import type { Page } from '@playwright/test';
import { expectAccessible } from '../src/accessibility/expect-accessible.ts';
import { makeOffering, saveProfile } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' });

/** Whether no other element covers the centre of the focused element. */
const isFocusUncovered = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement!;
    const { left, top, width, height } = focused.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return above !== null && (focused.contains(above) || above.contains(focused));
  });

for (const width of [360, 1280]) {
  test(`the save bar saves and discards changes and covers no focused field, ${width} px wide [e2e-138]`, async ({
    signedInPage: page,
    creator: { token, displayName },
  }) => {
    await saveProfile(token, { displayName, bio: 'As it was.', contactBy: 'form' });
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/dashboard/edit-profile');
    const bio = page.getByLabel('Bio');
    await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0);
    await bio.fill('Something else.');
    await expect(save(page)).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('button', { name: 'Discard' })).toBeInViewport({ ratio: 1 });
    // Both buttons are in one row, because two rows would take a sixth of a phone's screen.
    const topOf = async (name: string) => (await page.getByRole('button', { name }).boundingBox())!.y;
    expect(await topOf('Discard')).toBe(await topOf('Save Profile'));
    await expectAccessible(page, `profile editor with unsaved changes, ${width}`);
    await page.setViewportSize({ width, height: 740 });

    // Presses Tab through the rest of the form.
    await bio.focus();
    const discard = page.getByRole('button', { name: 'Discard' });
    while (!(await discard.evaluate((button) => button === document.activeElement))) {
      await page.keyboard.press('Tab');
      expect(await isFocusUncovered(page), await page.evaluate(() => document.activeElement!.outerHTML)).toBe(
        true,
      );
    }

    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard Changes' }).click();
    await expect(bio).toHaveValue('As it was.');
    await expect(page.getByRole('button', { name: 'Discard' })).toHaveCount(0);
  });
}

test('the notes about a saved profile and offering contain their links [e2e-139]', async ({
  signedInPage: page,
  creator,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const { id, slug } = await makeOffering(creator.token, { title: 'Letters', deliveryText: 'Hello' });
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Paper and ink.');
  await save(page).click();
  await expect(page).toHaveURL('/dashboard');
  const toast = page.getByRole('listitem').filter({ hasText: 'Your profile is saved.' });
  await expect(toast.getByRole('link', { name: 'View' })).toHaveAttribute(
    'href',
    `/profile/${creator.username}`,
  );
  await expectAccessible(page, 'toast with an action');

  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Price').fill('R200');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const saved = page.getByRole('status').filter({ hasText: '“Letters” is saved.' });
  await expect(saved.getByRole('link', { name: 'View' })).toHaveAttribute(
    'href',
    `/profile/${creator.username}/${slug}`,
  );
  await saved.getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(copied).toMatch(new RegExp(`/profile/${creator.username}/${slug}$`));
  await saved.getByRole('button', { name: 'Copy delivery link' }).click();
  await expect.poll(copied).toMatch(/\/download\/.*#key=/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(saved).toHaveCount(0);

  // On a phone, even a title of one long word must fit into the note.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/dashboard/edit-offering/${id}`);
  await page.getByLabel('Title').fill('W'.repeat(60));
  await page.getByRole('button', { name: 'Save Changes' }).click();
  const note = page.getByRole('status').filter({ hasText: 'WWW” is saved.' });
  await expect(note.getByRole('button', { name: 'Copy delivery link' })).toBeInViewport({ ratio: 1 });
  expect(await note.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

for (const width of [320, 360, 1280])
  test(`a toast shows the whole address if copying fails, ${width} px wide`, async ({
    signedInPage: page,
    creator: { username },
  }) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/dashboard/edit-profile');
    await page.getByLabel('Bio').fill('Paper and ink.');
    await save(page).click();
    const toast = page.getByRole('listitem').filter({ hasText: 'Your profile is saved.' });
    const lineOf = async () => (await toast.getByText('Your profile is saved.').boundingBox())?.width;
    const before = await lineOf();
    if (width >= 360) expect((await toast.boundingBox())?.height).toBeLessThanOrEqual(64);
    // The test has not granted the permission, so the browser refuses access to the clipboard.
    await toast.getByRole('button', { name: 'Copy link' }).click();
    const failure = toast.getByText(`/profile/${username}`);
    await expect(failure).toBeInViewport({ ratio: 1 });
    await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeInViewport({ ratio: 1 });
    expect(await toast.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await lineOf()).toBe(before);
  });
