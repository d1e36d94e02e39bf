import type { PublicCreator } from '@stoa/contracts';
import type { Page } from '@playwright/test';
import { fetchJson } from '../src/api.ts';
import { saveProfile } from '../src/creators.ts';
import { photoOfSize, square } from '../src/pictures.ts';
import { expect, residentTest, row, rows, test } from '../src/spec-test.ts';

const twoMegabytes = 2 * 1024 * 1024;
const socials = [
  ['YouTube', 'https://www.youtube.com/thandi'],
  ['TikTok', 'https://www.tiktok.com/thandi'],
  ['Instagram', 'https://www.instagram.com/thandi'],
] as const;
const pictureOf = (page: Page) => page.getByLabel('Profile Picture');
const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

test(...row('3.niches', 'the choice of niches'), async ({ openAsResident }) => {
  const page = await openAsResident('/dashboard/edit-profile');
  await expect(pictureOf(page)).toBeEnabled();
  const niches = page.getByRole('group', { name: 'Niches' }).getByRole('checkbox');
  await expect(niches).toHaveCount(6);
  const values = await niches.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value));
  expect(values).toEqual(['Writer', 'Artist', 'Healer', 'Coach', 'Musician', 'Poet']);
});

test(...row('d.username.fixed', 'the form has no field for it'), async ({ openAsResident }) => {
  const page = await openAsResident('/dashboard/edit-profile');
  await expect(pictureOf(page)).toBeEnabled();
  await expect(page.getByRole('textbox', { name: /username/i })).toHaveCount(0);
});

residentTest(
  ...rows({
    '5.profile.size': 'a picture of 2 MiB and one byte',
    '5.profile.image': 'a text file, and one with the content type of a picture',
    '5.profile.name': 'the field is emptied',
    '5.profile.social-url': 'something else is typed',
    '5.profile.paygate-url': 'something else is typed',
    'd.links.scheme': 'a script, a mail address and a file are typed',
    'd.links.credentials': 'a link with name and password is typed',
  }),
  async ({ page, words }) => {
    await page.goto('/dashboard/edit-profile');
    await expect(pictureOf(page)).toBeEnabled();
    const address = page.getByLabel('Address of payment link 1');
    await expect(address).toHaveAttribute('type', 'url');
    await page.getByLabel('Display Name').fill('');
    for (const [site] of socials) {
      await expect(page.getByLabel(site)).toHaveAttribute('type', 'url');
      await page.getByLabel(site).fill('not a link');
    }
    await save(page);
    await expect(page.getByText('This field is required.', { exact: true })).toBeVisible();
    await expect(page.getByLabel('Display Name')).toBeFocused();
    await expect(page.getByLabel('Display Name')).toHaveAttribute('aria-invalid', 'true');
    await expect(
      page.getByText('Enter a link that starts with http:// or https://.', { exact: true }),
    ).toHaveCount(3);
    await expect(address).not.toHaveAttribute('aria-invalid', 'true');
    await address.fill('not a link');
    await save(page);
    await expect(address).toHaveAttribute('aria-invalid', 'true');

    const youtube = page.getByLabel('YouTube');
    for (const link of [
      'javascript:alert(1)',
      'mailto:a@example.test',
      'ftp://example.test/x',
      'https://me:secret@example.test/',
    ]) {
      await youtube.fill('https://www.youtube.com/thandi');
      await save(page);
      await expect(youtube).not.toHaveAttribute('aria-invalid', 'true');
      await youtube.fill(link);
      await save(page);
      await expect(youtube, link).toHaveAttribute('aria-invalid', 'true');
    }
    await expect(page).toHaveURL('/dashboard/edit-profile');

    await pictureOf(page).setInputFiles(await photoOfSize(twoMegabytes + 1));
    await expect(page.getByText(words, { exact: true })).toBeVisible();
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

test(
  ...rows({
    '4.profile.saved': 'a change is saved',
    '4.profile.redirect': 'a change is saved',
    '7.write.profile': 'every field is changed, saved and read again',
    '7.files.profile': 'a picture is chosen and saved',
    '9.picture.2mb': 'a picture of exactly 2 MiB is saved',
    '5.profile.paygates': 'three rows: full, only a name, only a link',
    '3.creator.niches': 'a creator chooses all six',
  }),
  async ({ signedInPage: page, creator, words }) => {
    const niches = ['Writer', 'Artist', 'Healer', 'Coach', 'Musician', 'Poet'];
    const current = page.getByRole('img', { name: 'Current picture' });
    await page.goto('/dashboard/edit-profile');
    await pictureOf(page).setInputFiles(await photoOfSize(twoMegabytes, square));
    await expect(current).toBeVisible();
    await page.getByLabel('Display Name').fill('Thandi the Binder');
    await page.getByLabel('Bio').fill('Binds books.');
    for (const niche of niches) await page.getByRole('checkbox', { name: niche }).check();
    for (const [site, link] of socials) await page.getByLabel(site).fill(link);
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
    await expect(page.getByRole('status').getByText(words, { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText('Binds books.')).toBeVisible();
    await expect(page.getByRole('img', { name: 'Thandi the Binder', exact: true })).toHaveAttribute(
      'src',
      new RegExp(`/profile_pictures/${creator.uid}/[^/]+/`),
    );

    await page.goto('/dashboard/edit-profile');
    await expect(current).toBeVisible();
    await expect(page.getByLabel('Display Name')).toHaveValue('Thandi the Binder');
    await expect(page.getByLabel('Bio')).toHaveValue('Binds books.');
    for (const niche of niches) await expect(page.getByRole('checkbox', { name: niche })).toBeChecked();
    for (const [site, link] of socials) await expect(page.getByLabel(site)).toHaveValue(link);
    await expect(page.getByLabel('Name of payment link 1')).toHaveValue('PayPal');
    await expect(page.getByLabel('Address of payment link 1')).toHaveValue('https://paypal.example.com/x');

    await page.goto(`/profile/${creator.username}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Thandi the Binder' })).toBeVisible();
    await expect(page.getByRole('list', { name: 'Niches' }).getByRole('listitem')).toHaveText(niches);
    for (const [site, link] of socials)
      await expect(page.getByRole('link', { name: site })).toHaveAttribute('href', link);
    const links = page.getByRole('region', { name: /^Ways to support/ }).getByRole('link');
    await expect(links).toHaveCount(1);
    await expect(links).toHaveAttribute('href', 'https://paypal.example.com/x');
  },
);

test(
  ...row('9.redirect', "the browser's clock is stopped, then moved by 1499 ms and by one more"),
  async ({ signedInPage: page }) => {
    await page.goto('/dashboard/edit-profile');
    await expect(pictureOf(page)).toBeEnabled();
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
  ...row(
    '6.own-profile',
    "the address contains another username; the form shows and saves only the user's own profile",
  ),
  async ({ signedInPage: page, creator, resident }) => {
    const profileOf = ({ username }: { username: string }) =>
      fetchJson<PublicCreator>('GET', `/api/creators/${username}`);
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
