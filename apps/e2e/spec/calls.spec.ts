import type { Creator, Offering } from '@stoa/contracts';
import { newAccount } from '../src/creators.ts';
import { fillOffering, publishProfile } from '../src/fill-in.ts';
import { register } from '../src/sign-in.ts';
import { expect, rows, test } from '../src/spec-test.ts';
import { subjectOf } from '../src/token.ts';

test(
  ...rows({
    '7.write.creator': 'a user signs up with capitals in username and email',
    '3.creator.username': 'a user signs up with capitals in it',
    '3.creator.email': 'a user signs up with capitals in it',
  }),
  async ({ page }) => {
    const account = newAccount();
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
    await expect(page).toHaveURL('/dashboard');
    await expect(page.getByText(`@${username}`, { exact: true })).toBeVisible();
    await page.goto(`/profile/${username}`);
    await expect(page.getByRole('heading', { level: 1, name: displayName, exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Contact Me' })).toHaveAttribute('href', `mailto:${email}`);
  },
);

test(
  ...rows({
    '7.write.offering': 'the form is filled in and sent',
    '7.files.cover': 'a cover is chosen and the offering sent',
  }),
  async ({ signedInPage: page, creator }) => {
    await page.goto('/dashboard/add-offering');
    await fillOffering(page, 'Twelve letters');
    await expect(page.getByRole('img', { name: 'Current picture' })).toHaveAttribute(
      'src',
      new RegExp(`/offering_images/${creator.uid}/\\d{13}_[^/]+`),
    );
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
