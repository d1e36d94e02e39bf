import type { Creator, Offering } from '@stoa/contracts';
import { anAccount } from '../src/creators.ts';
import { fillOffering, publishProfile } from '../src/fill-in.ts';
import { aPhoto } from '../src/pictures.ts';
import { register } from '../src/sign-in.ts';
import { expect, row, test } from '../src/spec-test.ts';
import { subjectOf } from '../src/token.ts';

test(
  ...row('7.write.creator', 'somebody signs up, with capitals in username and email'),
  async ({ page }) => {
    const account = anAccount();
    const { displayName, username, email } = account;
    await page.goto('/signup');
    const before = Date.now();
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/session'));
    await register(page, { ...account, username: username.toUpperCase(), email: email.toUpperCase() });
    const answer = await answered;
    const creator = (await answer.json()) as Creator;
    expect(creator).toMatchObject({
      uid: subjectOf((await answer.request().allHeaders()).authorization),
      displayName,
      username,
      email,
      bio: '',
      profileImage: null,
      headerImage: null,
      paygates: [],
      socialLinks: { youtube: null, tiktok: null, instagram: null },
      niches: [],
    });
    expect(Date.parse(creator.createdAt)).toBeGreaterThanOrEqual(before);
    await publishProfile(page);
    await page.goto(`/profile/${username}`);
    await expect(page.getByRole('heading', { level: 1, name: displayName, exact: true })).toBeVisible();
  },
);

test(...row('7.files.profile', 'a picture is chosen and saved'), async ({ signedInPage: page, creator }) => {
  await page.goto('/dashboard/edit-profile');
  await page.getByLabel('Profile Picture').setInputFiles(await aPhoto());
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page).toHaveURL('/dashboard');
  const picture = page.getByRole('img', { name: creator.displayName, exact: true });
  await expect(picture).toHaveAttribute('src', new RegExp(`/profile_pictures/${creator.uid}/[^/]+/`));
});

test(
  ...row('7.files.cover', 'a cover is chosen and the offering sent'),
  async ({ signedInPage: page, creator }) => {
    await page.goto('/dashboard/add-offering');
    await page.getByLabel('Cover Image').setInputFiles({ ...(await aPhoto()), name: 'Sunday walk.jpg' });
    const picture = page.getByRole('img', { name: 'Current picture' });
    await expect(picture).toHaveAttribute('src', new RegExp(`/offering_images/${creator.uid}/\\d{13}_[^/]+`));
  },
);

test(
  ...row('7.write.offering', 'the form is filled in and sent'),
  async ({ signedInPage: page, creator }) => {
    await page.goto('/dashboard/add-offering');
    await fillOffering(page, 'Twelve letters');
    await page.getByLabel('Description').fill('One a month.');
    await page.getByLabel('Product Link').fill('https://files.example.com/letters');
    const before = Date.now();
    const [answer] = await Promise.all([
      page.waitForResponse(
        (response) => response.request().method() === 'POST' && response.url().endsWith('/api/offerings'),
      ),
      page.getByRole('button', { name: 'Create Offering' }).click(),
    ]);
    const offering = (await answer.json()) as Offering;
    expect(offering).toMatchObject({
      title: 'Twelve letters',
      description: 'One a month.',
      price: 'R150',
      type: 'PDF / Digital Download',
      paymentUrl: 'https://pay.example.com/letters',
      productUrl: 'https://files.example.com/letters',
      creatorId: creator.uid,
    });
    expect(offering.coverImage).not.toBeNull();
    expect(Date.parse(offering.createdAt)).toBeGreaterThanOrEqual(before - 1000);
    await page.goto(`/profile/${creator.username}`);
    await expect(page.getByRole('article').getByRole('heading', { name: 'Twelve letters' })).toBeVisible();
  },
);
