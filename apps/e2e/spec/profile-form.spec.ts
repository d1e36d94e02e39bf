import type { PublicCreator } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { ask } from '../src/api.ts';
import { saveProfile } from '../src/creators.ts';
import { aPhoto, aPhotoOf } from '../src/pictures.ts';
import { expect, residentTest, row, test } from '../src/spec-test.ts';

const twoMegabytes = 2 * 1024 * 1024;
const socials = [
  ['YouTube', 'https://www.youtube.com/thandi'],
  ['TikTok', 'https://www.tiktok.com/thandi'],
  ['Instagram', 'https://www.instagram.com/thandi'],
] as const;
const pictureOf = (page: Page) => page.getByLabel('Profile Picture');
const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

test(...row('3.niches', 'the choice of niches'), async ({ lookAsResident }) => {
  const page = await lookAsResident('/dashboard/edit-profile');
  await expect(pictureOf(page)).toBeEnabled();
  const niches = page.getByRole('group', { name: 'Niches' }).getByRole('checkbox');
  await expect(niches).toHaveCount(6);
  const values = await niches.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value));
  expect(values).toEqual(['Writer', 'Artist', 'Healer', 'Coach', 'Musician', 'Poet']);
});

test(...row('d.username.fixed', 'the form has no field for it'), async ({ lookAsResident }) => {
  const page = await lookAsResident('/dashboard/edit-profile');
  await expect(pictureOf(page)).toBeEnabled();
  await expect(page.getByRole('textbox', { name: /username/i })).toHaveCount(0);
});

residentTest.describe('the form alone', () => {
  residentTest.beforeEach(async ({ page }) => {
    await page.goto('/dashboard/edit-profile');
    await expect(pictureOf(page)).toBeEnabled();
  });

  residentTest(
    ...row('5.profile.image', 'a text file, and one that only calls itself a picture'),
    async ({ page }) => {
      await pictureOf(page).setInputFiles({
        name: 'notes.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('hello'),
      });
      await expect(page.getByText('Choose a JPEG, PNG, WebP or AVIF picture.')).toBeVisible();
      await pictureOf(page).setInputFiles({
        name: 'fake.jpg',
        mimeType: 'image/jpeg',
        buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      });
      await expect(page.getByRole('alert').filter({ hasText: /not a picture|cannot be read/ })).toBeVisible();
    },
  );

  residentTest(...row('5.profile.size', 'a picture of 2 MiB and one byte'), async ({ page, words }) => {
    await pictureOf(page).setInputFiles(await aPhotoOf(twoMegabytes + 1));
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  residentTest(...row('5.profile.name', 'the field is emptied'), async ({ page }) => {
    await page.getByLabel('Display Name').fill('');
    await save(page);
    await expect(page.getByText('This field is required.', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Display Name')).toBeFocused();
    await expect(page.getByLabel('Display Name')).toHaveAttribute('aria-invalid', 'true');
    await expect(page).toHaveURL('/dashboard/edit-profile');
  });

  residentTest(...row('5.profile.social-url', 'something else is typed'), async ({ page }) => {
    for (const site of ['YouTube', 'TikTok', 'Instagram']) {
      await expect(page.getByLabel(site)).toHaveAttribute('type', 'url');
      await page.getByLabel(site).fill('not a link');
    }
    await save(page);
    await expect(
      page.getByText('Enter a link that starts with http:// or https://.', { exact: true }),
    ).toHaveCount(3);
  });

  residentTest(...row('5.profile.paygate-url', 'something else is typed'), async ({ page }) => {
    const address = page.getByLabel('Address of payment link 1');
    await expect(address).toHaveAttribute('type', 'url');
    await address.fill('not a link');
    await save(page);
    await expect(address).toHaveAttribute('aria-invalid', 'true');
  });

  residentTest(
    ...row('d.links.scheme', 'a script, a mail address and a file are typed'),
    async ({ page }) => {
      const youtube = page.getByLabel('YouTube');
      for (const link of ['javascript:alert(1)', 'mailto:a@example.test', 'ftp://example.test/x']) {
        await youtube.fill(link);
        await save(page);
        await expect(youtube, link).toHaveAttribute('aria-invalid', 'true');
      }
    },
  );

  residentTest(...row('d.links.credentials', 'a link with name and password is typed'), async ({ page }) => {
    await page.getByLabel('YouTube').fill('https://me:secret@example.test/');
    await save(page);
    await expect(page.getByLabel('YouTube')).toHaveAttribute('aria-invalid', 'true');
  });
});

test.describe('saving', () => {
  test.beforeEach(async ({ signedInPage: page }) => {
    await page.goto('/dashboard/edit-profile');
    await expect(pictureOf(page)).toBeEnabled();
  });

  test(
    ...row('9.picture.2mb', 'a picture of exactly 2 MiB is saved'),
    async ({ signedInPage: page, creator }) => {
      await pictureOf(page).setInputFiles(await aPhotoOf(twoMegabytes));
      await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
      await save(page);
      await expect(page).toHaveURL('/dashboard');
      await expect(page.getByRole('img', { name: creator.displayName, exact: true })).toBeVisible();
    },
  );

  test(
    ...row('5.profile.paygates', 'three rows: full, only a name, only a link'),
    async ({ signedInPage: page, creator }) => {
      for (const [index, [name, url]] of [
        ['Only a name', ''],
        ['PayPal', 'https://paypal.example.com/x'],
        ['', 'https://only-a-link.example.com/x'],
      ].entries()) {
        await page.getByRole('button', { name: 'Add Payment Link' }).click();
        await page.getByLabel(`Name of payment link ${index + 1}`).fill(name ?? '');
        await page.getByLabel(`Address of payment link ${index + 1}`).fill(url ?? '');
      }
      await save(page);
      await expect(page.getByText('Profile updated successfully!')).toBeVisible();
      await page.goto(`/profile/${creator.username}`);
      const links = page.getByRole('region', { name: /^Ways to support/ }).getByRole('link');
      await expect(links).toHaveCount(1);
      await expect(links).toHaveAttribute('href', 'https://paypal.example.com/x');
    },
  );

  test(...row('4.profile.saved', 'a change is saved'), async ({ signedInPage: page, words }) => {
    await page.getByLabel('Bio').fill('A new sentence.');
    await save(page);
    await expect(page.getByRole('status').getByText(words, { exact: true })).toBeVisible();
  });

  test(...row('4.profile.redirect', 'a change is saved'), async ({ signedInPage: page }) => {
    await page.getByLabel('Bio').fill('A new sentence.');
    await save(page);
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('A new sentence.')).toBeVisible();
  });

  test(
    ...row('9.redirect', "the browser's clock is stopped, then moved by 1499 ms and by one more"),
    async ({ signedInPage: page }) => {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await page.getByLabel('Bio').fill('A sentence worth 1500 milliseconds.');
      await save(page);
      await expect(page.getByText('Profile updated successfully!')).toBeVisible();
      await page.clock.runFor(1499);
      await expect(page).toHaveURL('/dashboard/edit-profile');
      await expect(page.getByText('Profile updated successfully!')).toBeVisible();
      await page.clock.runFor(1);
      await expect(page).toHaveURL('/dashboard');
    },
  );

  test(
    ...row('7.write.profile', 'every field is changed, saved and read again'),
    async ({ signedInPage: page, creator }) => {
      await pictureOf(page).setInputFiles(await aPhoto());
      await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
      await page.getByLabel('Display Name').fill('Thandi the Binder');
      await page.getByLabel('Bio').fill('Binds books.');
      await page.getByRole('checkbox', { name: 'Artist' }).check();
      for (const [site, link] of socials) await page.getByLabel(site).fill(link);
      await page.getByRole('button', { name: 'Add Payment Link' }).click();
      await page.getByLabel('Name of payment link 1').fill('Till');
      await page.getByLabel('Address of payment link 1').fill('https://till.example.com/');
      await save(page);
      await expect(page).toHaveURL('/dashboard');

      await page.goto('/dashboard/edit-profile');
      await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
      await expect(page.getByLabel('Display Name')).toHaveValue('Thandi the Binder');
      await expect(page.getByLabel('Bio')).toHaveValue('Binds books.');
      await expect(page.getByRole('checkbox', { name: 'Artist' })).toBeChecked();
      for (const [site, link] of socials) await expect(page.getByLabel(site)).toHaveValue(link);
      await expect(page.getByLabel('Name of payment link 1')).toHaveValue('Till');
      await expect(page.getByLabel('Address of payment link 1')).toHaveValue('https://till.example.com/');
      await page.goto(`/profile/${creator.username}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Thandi the Binder' })).toBeVisible();
      for (const [site, link] of socials)
        await expect(page.getByRole('link', { name: site })).toHaveAttribute('href', link);
    },
  );
});

test(
  ...row(
    '6.own-profile',
    "somebody's name stands in the address; the form shows, and saving changes, only one's own",
  ),
  async ({ signedInPage: page, creator, resident }) => {
    const profileOf = ({ username }: { username: string }) =>
      ask<PublicCreator>('GET', `/api/creators/${username}`);
    const before = await profileOf(resident);
    await page.goto(`/dashboard/edit-profile?username=${resident.username}&uid=${resident.uid}`);
    await expect(page.getByLabel('Display Name')).toHaveValue(creator.displayName);
    await page.getByLabel('Display Name').fill('Nobody but me');
    await page.getByLabel('Bio').fill('My own words.');
    await save(page);
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
    await expect
      .poll(() => profileOf(creator))
      .toMatchObject({ displayName: 'Nobody but me', bio: 'My own words.' });
    expect(await profileOf(resident)).toEqual(before);
  },
);

test(...row('3.creator.niches', 'a creator chooses all six'), async ({ signedInPage: page, creator }) => {
  await page.goto('/dashboard/edit-profile');
  const niches = ['Writer', 'Artist', 'Healer', 'Coach', 'Musician', 'Poet'];
  for (const niche of niches) await page.getByRole('checkbox', { name: niche }).check();
  await save(page);
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  await page.goto(`/profile/${creator.username}`);
  await expect(page.getByRole('list', { name: 'Niches' }).getByRole('listitem')).toHaveText(niches);
});

test(...row('3.creator.paygates', 'a creator with two payment links'), async ({ page, creator }) => {
  await saveProfile(creator.token, {
    displayName: creator.displayName,
    paygates: [
      { name: 'PayPal', url: 'https://paypal.example.com/x' },
      { name: 'Till', url: 'https://till.example.com/y' },
    ],
  });
  await page.goto(`/profile/${creator.username}`);
  const links = page.getByRole('region', { name: /^Ways to support/ }).getByRole('link');
  await expect(links).toHaveText([/^PayPal/, /^Till/]);
});
