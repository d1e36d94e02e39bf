import type { Offering } from '@stoa/contracts';
import { fillOffering } from '../src/fill-in.ts';
import { aPhoto } from '../src/pictures.ts';
import { expect, row, test } from '../src/spec-test.ts';

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
      paymentUrl: 'https://pay.example.test/letters',
    });
    expect(offering.coverImage).not.toBeNull();
    expect(Date.parse(offering.createdAt)).toBeGreaterThanOrEqual(before - 1000);
    await page.goto(`/profile/${creator.username}`);
    await expect(page.getByRole('article').getByRole('heading', { name: 'Twelve letters' })).toBeVisible();
  },
);
