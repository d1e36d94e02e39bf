import { randomUUID } from 'node:crypto';
import { newAccount } from '../../src/creators.ts';
import { whileDown } from '../../src/process-control.ts';
import { expect, lines, rows, test } from '../../src/spec-test.ts';

test(
  ...rows({
    '2.browse.loading': 'the creators service hangs, then goes on',
    '4.busy.profile': 'the creators service hangs while a profile is saved',
  }),
  async ({ signedInPage: page, browser, words }) => {
    await page.goto('/dashboard/edit-profile');
    await page.getByLabel('Bio').fill('Patience.');
    const visitor = await browser.newPage();
    await visitor.goto('/about');
    const browse = visitor.getByRole('banner').getByRole('link', { name: 'Browse Creators' });
    await whileDown(
      'creators',
      async () => {
        await browse.click();
        await visitor.getByRole('searchbox', { name: 'Search creators' }).fill(randomUUID());
        await expect(visitor.getByText(words, { exact: true })).toBeVisible();
        await page.getByRole('button', { name: 'Save Profile' }).click();
        await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
      },
      'pause',
    );
    await expect(visitor.getByText(/^No creators found/)).toBeVisible();
    await expect(visitor.getByText(words, { exact: true })).toHaveCount(0);
    await visitor.close();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  },
);

test(
  ...rows({
    '2.browse.error': 'the creators service is stopped, then starts and the page retries',
    '2.profile.error': 'the creators service is stopped',
    '8.console': 'the creators service is stopped',
    '8.profile.failure': 'the creators service is stopped while the form is filled in',
  }),
  async ({ signedInPage: page, browser }) => {
    await page.goto('/dashboard/edit-profile');
    await page.getByLabel('Bio').fill('Typed while the house was on fire.');
    const visitors = await browser.newContext();
    const [browsing, visiting] = [await visitors.newPage(), await visitors.newPage()];
    const logged: string[] = [];
    visiting.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
    await whileDown('creators', async () => {
      await browsing.goto(`/browse-creators?search=${randomUUID()}`);
      await expect(browsing.getByText(lines['2.browse.error'], { exact: true })).toBeVisible();

      const response = await visiting.goto(`/profile/${newAccount().username}`);
      // With status 503, no cache and no search engine stores this page as the profile.
      expect(response?.status()).toBe(503);
      await expect(visiting.getByText(lines['2.profile.error'], { exact: true })).toBeVisible();
      expect(logged.join('\n')).toMatch(/ApiError/);

      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByText(lines['8.profile.failure'], { exact: true })).toBeVisible();
      await expect(page.getByLabel('Bio')).toHaveValue('Typed while the house was on fire.');
    });
    await browsing.getByRole('button', { name: 'Try again' }).click();
    await expect(browsing.getByText(/^No creators found/)).toBeVisible();
    await visitors.close();
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  },
);
