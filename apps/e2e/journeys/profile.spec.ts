import { makeCreator, makeOffering, saveProfile, upload } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

test('leaving the profile editor asks about unsaved changes', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Bio').fill('Half a sentence');
  await page.getByRole('link', { name: 'Browse Creators' }).click();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Bio')).toHaveValue('Half a sentence');
  await page.getByRole('link', { name: 'Browse Creators' }).click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL('/browse-creators');
});

test('a picture can be removed again', async ({ creator, signedInPage: page }) => {
  const picture = await upload(creator.token, 'profile-picture');
  await saveProfile(creator.token, { displayName: creator.displayName, profileImageId: picture.id });
  await page.goto('/dashboard/edit-profile');
  await page.getByRole('button', { name: 'Remove picture' }).click();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('img', { name: `${creator.displayName} (no picture yet)` })).toBeVisible();
});

test('on a phone the first payment link is on the first screen, below picture, name and bio', async ({
  page,
}) => {
  const { token, username } = await makeCreator();
  const bio = 'Essays and poems about rivers, memory and starting over.\nI answer every letter by hand.';
  const { id: profileImageId } = await upload(token, 'profile-picture');
  await saveProfile(token, { displayName: 'Amara Okafor', bio, niches: ['Writer', 'Poet'], profileImageId });
  await makeOffering(token, { title: 'What the River Kept', description: 'Fourteen essays on floods.' });
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/profile/${username}`);
  await expect(page.getByRole('img', { name: 'Amara Okafor' })).toBeInViewport();
  const buy = await page.getByRole('link', { name: /^Access Now/ }).boundingBox();
  expect((buy?.y ?? Infinity) + (buy?.height ?? 0)).toBeLessThanOrEqual(640);

  const text = page.getByText('Essays and poems about rivers');
  await expect(text).toHaveText(bio);
  const height = async () => (await text.boundingBox())?.height ?? 0;
  const closed = await height();
  await page.getByRole('button', { name: 'More about Amara Okafor' }).click();
  expect(await height()).toBeGreaterThan(closed * 1.5);
  await expect(page.getByRole('button', { name: 'Less about Amara Okafor', expanded: true })).toBeVisible();
});
