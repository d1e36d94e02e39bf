import { randomUUID } from 'node:crypto';
import { command, without } from '../../src/control.ts';
import { anAccount } from '../../src/creators.ts';
import { expect, row, test } from '../../src/spec-test.ts';

test(...row('2.browse.loading', 'the creators service hangs, then goes on'), async ({ page, words }) => {
  await page.goto('/about');
  const browse = page.getByRole('banner').getByRole('link', { name: 'Browse Creators' });
  await without(
    'creators',
    async () => {
      await browse.click();
      await page.getByRole('searchbox', { name: 'Search creators' }).fill(randomUUID());
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    },
    'pause',
  );
  await expect(page.getByText(/^No creators found/)).toBeVisible();
  await expect(page.getByText(words, { exact: true })).toHaveCount(0);
});

test(
  ...row('4.busy.profile', 'the creators service hangs while a profile is saved'),
  async ({ signedInPage: page }) => {
    await page.goto('/dashboard/edit-profile');
    await page.getByLabel('Bio').fill('Patience.');
    await without(
      'creators',
      async () => {
        await page.getByRole('button', { name: 'Save Profile' }).click();
        await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
      },
      'pause',
    );
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  },
);

test(
  ...row('2.browse.error', 'the creators service is stopped, then starts and is asked again'),
  async ({ page, words }) => {
    await without('creators', async () => {
      await page.goto(`/browse-creators?search=${randomUUID()}`);
      await expect(page.getByText(words, { exact: true })).toBeVisible();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByText(/^No creators found/)).toBeVisible();
  },
);

test.describe('the creators service is stopped', () => {
  test.beforeAll(() => command('stop', 'creators'));
  test.afterAll(() => command('start', 'creators'));

  test(...row('2.profile.error', 'the creators service is stopped'), async ({ page, words }) => {
    const response = await page.goto(`/profile/${anAccount().username}`);
    // Nobody who keeps what a page says takes this for the profile.
    expect(response?.status()).toBe(503);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  test(...row('8.console', 'the creators service is stopped'), async ({ page }) => {
    const logged: string[] = [];
    page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
    await page.goto(`/profile/${anAccount().username}`);
    await expect(page.getByText('Failed to load creator profile.')).toBeVisible();
    expect(logged.join('\n')).toMatch(/ApiError/);
  });
});

test(
  ...row('8.profile.failure', 'the creators service is stopped while the form is filled in'),
  async ({ signedInPage: page, words }) => {
    await page.goto('/dashboard/edit-profile');
    await page.getByLabel('Bio').fill('Typed while the house was on fire.');
    await without('creators', async () => {
      await page.getByRole('button', { name: 'Save Profile' }).click();
      await expect(page.getByText(words, { exact: true })).toBeVisible();
      await expect(page.getByLabel('Bio')).toHaveValue('Typed while the house was on fire.');
    });
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
  },
);
