import type { Creator, PublicCreator } from '@stoa/contracts';
import { openAndReadData } from '../src/navigation.ts';
import { fetchJson } from '../src/api.ts';
import { newAccount, makeCreator, saveProfile, upload } from '../src/creators.ts';
import { verifyEmail } from '../src/keycloak-admin.ts';
import { fillContactForm } from '../src/fill-in.ts';
import { isTo, mails, waitForMail, mailSource } from '../src/mail-catcher.ts';
import { logIn, register } from '../src/sign-in.ts';
import { expect, row, rows, test } from '../src/spec-test.ts';

test(...row('3.creator.one', 'a creator logs in from a second browser'), async ({ browser, creator }) => {
  for (let visit = 0; visit < 2; visit += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto('/login');
    await logIn(page, creator);
    await expect(page).toHaveURL('/dashboard');
    await context.close();
  }
  const visitors = await browser.newPage();
  await visitors.goto(`/browse-creators?search=${creator.username}`);
  await expect(visitors.getByRole('main').getByRole('article')).toHaveCount(1);
  expect((await fetchJson<Creator>('GET', '/api/me', { token: creator.token })).uid).toBe(creator.uid);
});

test(
  ...rows({
    '3.creator.created': "the browser's clock stands at another year when a user signs up",
    '3.creator.header-image': 'a user signs up',
  }),
  async ({ page }) => {
    await page.clock.setSystemTime('2031-01-01');
    await page.goto('/signup');
    const before = Date.now();
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/session'));
    await register(page, newAccount());
    const { createdAt, headerImage } = (await (await answer).json()) as Creator;
    const at = Date.parse(createdAt);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
    expect(headerImage).toBeNull();
  },
);

test(...row('3.creator.shown', 'a creator with all three, read by a visitor'), async ({ page, resident }) => {
  const path = `/api/creators/${resident.username}`;
  const shown = await openAndReadData<PublicCreator>(page, path, `/profile/${resident.username}`);
  const { displayName, bio, profileImage } = shown;
  expect(displayName).toBe(resident.displayName);
  expect(bio).toMatch(/^Paper, ink and patience\./);
  expect(profileImage).not.toBeNull();
  await expect(page.getByRole('heading', { level: 1, name: displayName, exact: true })).toBeVisible();
  await expect(page.getByText(bio, { exact: true })).toBeVisible();
  const picture = page.getByRole('img', { name: displayName, exact: true });
  await expect(picture).toHaveAttribute('src', new RegExp(`/${profileImage?.path}/`));
});

test(...row('3.creator.socials', 'a creator with all three'), async ({ page, creator }) => {
  const socialLinks = {
    youtube: 'https://www.youtube.com/x',
    tiktok: 'https://www.tiktok.com/x',
    instagram: 'https://www.instagram.com/x',
  };
  await saveProfile(creator.token, { displayName: creator.displayName, socialLinks });
  await page.goto(`/profile/${creator.username}`);
  const links = page.getByRole('list', { name: `${creator.displayName} elsewhere` }).getByRole('link');
  await expect(links).toHaveCount(3);
  for (const [index, url] of Object.values(socialLinks).entries()) {
    await expect(links.nth(index)).toHaveAttribute('href', url);
  }
});

test(...row('1.profile', 'a creator with all of it'), async ({ openAsVisitor, resident }) => {
  const page = await openAsVisitor(`/profile/${resident.username}`);
  await expect(page.getByRole('heading', { level: 1, name: resident.displayName })).toBeVisible();
  await expect(page.getByText(/^Paper, ink and patience\./)).toBeVisible();
  await expect(page.getByRole('img', { name: resident.displayName, exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Niches' }).getByRole('listitem')).toHaveCount(4);
  await expect(page.getByRole('link', { name: /^(YouTube|TikTok|Instagram)/ })).toHaveCount(3);
  await expect(page.getByRole('link', { name: /^PayPal/ })).toBeVisible();
});

test(
  ...row('7.files.url', 'a picture is saved; the page shows it again after a new visit'),
  async ({ page, creator }) => {
    const picture = await upload(creator.token, 'profile-picture');
    await saveProfile(creator.token, { displayName: creator.displayName, profileImageId: picture.id });
    const image = page.getByRole('img', { name: creator.displayName, exact: true });
    const addresses: string[] = [];
    for (let visit = 0; visit < 2; visit += 1) {
      await page.goto(`/profile/${creator.username}`);
      await expect
        .poll(() => image.evaluate((node) => (node as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
      addresses.push((await image.getAttribute('src')) ?? '');
    }
    expect(addresses[0]).toBe(addresses[1]);
  },
);

test(
  ...row(
    'd.contact.form',
    'a visitor writes to a creator who chose it; the mail comes once and can be answered',
  ),
  async ({ page }) => {
    const creator = await makeCreator();
    await saveProfile(creator.token, { displayName: creator.displayName, contactBy: 'form' });
    await verifyEmail(creator);
    await page.goto(`/profile/${creator.username}`);
    await expect(page.getByRole('heading', { level: 1, name: creator.displayName })).toBeVisible();
    expect(await page.content()).not.toContain(creator.email);
    await page.getByRole('link', { name: 'Contact Me' }).click();
    await expect(page.getByRole('heading', { name: `Contact ${creator.displayName}` })).toBeVisible();
    const subject = await fillContactForm(page);
    await page.getByRole('button', { name: 'Send Message' }).dblclick();
    await expect(page.getByText(/^Thanks for your message!/)).toHaveText(
      `Thanks for your message! It goes to ${creator.displayName}, who answers by email.`,
    );
    await expect(page.getByLabel('Message')).toHaveValue('');

    const mail = await waitForMail((candidate) => candidate.subject === `[Stoa] ${subject}`);
    expect(isTo(creator.email)(mail)).toBe(true);
    expect(await mailSource(mail)).toContain('Reply-To: Thandi Dube <thandi@example.test>');
    expect(mail.text).toContain('Do you have a shop in Durban?');
    expect((await mails()).filter((candidate) => candidate.subject.includes(subject))).toHaveLength(1);
  },
);
