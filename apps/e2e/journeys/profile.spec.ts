import { saveProfile, upload } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

test('unsaved changes are not lost without a question', async ({ signedInPage: page }) => {
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
