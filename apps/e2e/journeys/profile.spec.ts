import { saveProfile, upload } from '../src/creators.ts';
import { aPhotoOf } from '../src/pictures.ts';
import { expect, test } from '../src/test.ts';

test('an empty profile shows its placeholders', async ({ page, creator }) => {
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('heading', { level: 1, name: creator.displayName })).toBeVisible();
  await expect(page.getByText("This creator hasn't written a bio yet.")).toBeVisible();
  await expect(page.getByText('This creator has not added any offerings yet.')).toBeVisible();
  await expect(page.getByRole('img', { name: `${creator.displayName} (no picture yet)` })).toBeVisible();
});

test('a profile nobody has says so', async ({ page }) => {
  await page.goto('/profile/nobody-has-this-name');
  await expect(page.getByRole('heading', { name: 'Creator not found.' })).toBeVisible();
  await page.goto('/profile');
  await expect(page.getByRole('heading', { name: 'No creator specified.' })).toBeVisible();
});

test('profile fields are checked where they stand', async ({ signedInPage: page }) => {
  await page.getByRole('link', { name: 'Edit Profile' }).click();
  await page.getByLabel('Display Name').fill('');
  await page.getByLabel('TikTok').fill('not a link');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByLabel('Display Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('TikTok')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Display Name')).toBeFocused();
  await expect(page).toHaveURL('/dashboard/edit-profile');
});

test('a profile picture of 2 MB is taken and one byte more is refused', async ({ signedInPage: page }) => {
  const limit = 2 * 1024 * 1024;
  await page.goto('/dashboard/edit-profile');
  const picture = page.getByLabel('Profile Picture');
  await picture.setInputFiles(await aPhotoOf(limit + 1));
  await expect(page.getByText('Profile picture must be smaller than 2MB.')).toBeVisible();
  await picture.setInputFiles(await aPhotoOf(limit));
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
});

test('a file that is no picture is refused, whatever it is called', async ({ signedInPage: page }) => {
  await page.goto('/dashboard/edit-profile');
  const picture = page.getByLabel('Profile Picture');
  await picture.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await expect(page.getByText('Choose a JPEG, PNG, WebP or AVIF picture.')).toBeVisible();
  await picture.setInputFiles({
    name: 'fake.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await expect(
    page.getByRole('alert').filter({ hasText: /not a picture|cannot be read|JPEG, PNG/ }),
  ).toBeVisible();
});

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
