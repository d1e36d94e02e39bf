import { fetchApi } from '../src/api.ts';
import { newAccount } from '../src/creators.ts';
import { randomPhoto, square } from '../src/pictures.ts';
import { expectCleanVariants } from '../src/served-picture.ts';
import { logOut, register } from '../src/sign-in.ts';
import { theSystem } from '../src/system.ts';
import { expect, row, test } from '../src/spec-test.ts';

test(
  ...row('1.creators', 'a user signs up and publishes a profile, and a visitor finds it'),
  async ({ page, browser }) => {
    test.slow();
    const account = newAccount();
    const uploads: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().startsWith(theSystem().minio.publicEndpoint)) {
        uploads.push(request.url());
      }
    });

    await test.step("sign up on Keycloak's page in our theme", async () => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Join Now' }).click();
      await expect(page).toHaveURL(new RegExp(`^${theSystem().keycloak.publicUrl}/realms/stoa/`));
      await expect(page.getByRole('banner').getByRole('link', { name: 'Browse Creators' })).toBeVisible();
      await expect(page.getByText('No spaces or special characters.')).toBeVisible();
      await register(page, account);
      await expect(page).toHaveURL('/create-profile');
      await expect(page.getByText('Nobody but you sees it until you save it.')).toBeVisible();
      await expect(page.getByText(`/profile/${account.username}`)).toBeVisible();
      expect((await fetchApi('GET', `/api/creators/${account.username}`)).status, 'not public yet').toBe(404);
    });

    await test.step('fill in the profile, with a picture', async () => {
      await expect(page.getByRole('heading', { name: 'Edit Your Profile' })).toBeVisible();
      await expect(page.getByLabel('Display Name')).toHaveValue(account.displayName);
      await page.getByLabel('Profile Picture').setInputFiles(await randomPhoto(square));
      await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
      await page
        .getByLabel('Bio')
        .fill('Paper, ink and patience. Letters for people who still read them slowly, twice.');
      await page.getByRole('checkbox', { name: 'Poet' }).check();
      await page.getByLabel('YouTube').fill('https://www.youtube.com/letters');
      await page.getByRole('button', { name: 'Add Payment Link' }).click();
      await page.getByLabel('Name of payment link 1').fill('PayPal');
      await page.getByLabel('Address of payment link 1').fill('https://paypal.example.com/letters');
      await page.getByRole('button', { name: 'Add Payment Link' }).click();
      await page.getByLabel('Name of payment link 2').fill('Only a name');
      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByText('Choose how mail of visitors reaches you.').first()).toBeVisible();
      await page.getByRole('radio', { name: 'Show my email address' }).check();
      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByText('Profile updated successfully!')).toBeVisible();
      await expect(page).toHaveURL('/dashboard');
    });

    await test.step('add an offering with a cover', async () => {
      await expect(page.getByRole('heading', { name: 'Your Offerings (0)' })).toBeVisible();
      await page.getByRole('link', { name: 'Create Your First Offering' }).click();
      await page.getByLabel('Title').fill('Twelve letters');
      await page.getByLabel('Description').fill('One letter a month, by hand.');
      await page.getByLabel('Price').fill('R150');
      await expect(page.getByLabel('Type')).toHaveValue('PDF / Digital Download');
      await page.getByLabel('Type').selectOption('Online Course');
      await page.getByLabel('Payment Link').fill('https://pay.example.com/letters?plan=year');
      await page.getByLabel('Product Link').fill('https://files.example.com/secret');
      await page.getByLabel('Cover Image').setInputFiles(await randomPhoto());
      await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
      await page.getByRole('button', { name: 'Create Offering' }).click();
      await expect(page).toHaveURL('/dashboard');
      await expect(page.getByRole('heading', { name: 'Your Offerings (1)' })).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Twelve letters' })).toBeVisible();
      await expect(page.getByText('Online Course')).toBeVisible();
    });
    expect(uploads, 'both pictures went to the object store').toHaveLength(2);

    await test.step('log out', () => logOut(page));

    await test.step('as a visitor, find the creator and the payment link', async () => {
      const visitors = await browser.newContext();
      const visitor = await visitors.newPage();
      await visitor.goto('/browse-creators');
      await visitor.getByRole('searchbox', { name: 'Search creators' }).fill(account.username.toUpperCase());
      await expect(visitor.getByRole('status')).toHaveText('1 creator');
      await expect(visitor).toHaveURL(/search=/);
      await visitor.getByRole('button', { name: 'Healer' }).click();
      await expect(
        visitor.getByText('No creators found matching your criteria. Try adjusting your search or filter.'),
      ).toBeVisible();
      await visitor.getByRole('button', { name: 'Poet' }).click();
      await expect(visitor).toHaveURL(/niche=Poet/);
      const card = visitor.getByRole('article').filter({ hasText: account.displayName });
      await expect(card).toContainText(
        'Paper, ink and patience. Letters for people who still read them slowly, twi...',
      );
      await card.getByRole('link', { name: 'View Profile' }).click();

      await expect(visitor).toHaveURL(`/profile/${account.username}`);
      await expect(visitor.getByRole('heading', { level: 1, name: account.displayName })).toBeVisible();
      await expect(visitor.getByText(`@${account.username}`)).toBeVisible();
      await expect(visitor.getByRole('link', { name: 'Contact Me' })).toHaveAttribute(
        'href',
        `mailto:${account.email}`,
      );
      await expect(visitor.getByRole('link', { name: /^YouTube/ })).toHaveAttribute('target', '_blank');
      await expect(visitor.getByRole('link', { name: /^TikTok/ })).toHaveCount(0);
      await expect(visitor.getByRole('link', { name: /^PayPal/ })).toHaveAttribute(
        'href',
        'https://paypal.example.com/letters',
      );
      await expect(visitor.getByText('Only a name')).toHaveCount(0);

      const offering = visitor.getByRole('article').filter({ hasText: 'Twelve letters' });
      await expect(offering).toContainText('One letter a month, by hand.');
      await expect(offering).toContainText('R150');
      const access = offering.getByRole('link', { name: 'Access Now' });
      await expect(access).toHaveAttribute('href', 'https://pay.example.com/letters?plan=year');
      await expect(access).toHaveAttribute('target', '_blank');
      await expect(access).toHaveAttribute('rel', 'noopener noreferrer nofollow');
      expect(await visitor.content()).not.toContain('files.example.com');

      await expectCleanVariants(visitor.getByRole('img', { name: account.displayName }));
      await expectCleanVariants(offering.locator('img'));
      await visitors.close();
    });
  },
);
