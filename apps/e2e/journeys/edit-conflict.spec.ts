import type { Page } from '@playwright/test';
import { fetchJson } from '../src/api.ts';
import { expect, test } from '../src/test.ts';

const bioIn = (tab: Page) => tab.getByLabel(/^Bio/);
const saved = (tab: Page) => tab.getByText('Profile updated successfully!');
const question = (tab: Page) => tab.getByRole('group', { name: /changed in another tab/ });

async function save(tab: Page, bio: string): Promise<void> {
  await bioIn(tab).fill(bio);
  await tab.getByRole('button', { name: 'Save Profile' }).click();
}

test('a conflict between tabs offers to view, overwrite or reload [e2e-83]', async ({
  signedInPage: first,
  creator,
  context,
}) => {
  const [second, third] = [await context.newPage(), await context.newPage()];
  for (const tab of [first, second, third]) {
    await tab.goto('/dashboard/edit-profile');
    await expect(bioIn(tab)).toBeVisible();
  }
  const visitorsSee = async () =>
    (await fetchJson<{ bio: string }>('GET', `/api/creators/${creator.username}`, {})).bio;

  await save(first, 'Rivers, by the first tab.');
  await expect(saved(first)).toBeVisible();
  await save(second, 'Rivers, by the second tab.');
  await expect(question(second)).toBeFocused();
  await expect(bioIn(second)).toHaveValue('Rivers, by the second tab.');
  expect(await visitorsSee()).toBe('Rivers, by the first tab.');

  const opened = context.waitForEvent('page');
  await question(second).getByRole('link', { name: 'See what is saved' }).click();
  const look = await opened;
  await expect(bioIn(look)).toHaveValue('Rivers, by the first tab.');
  await look.close();

  await question(second).getByRole('button', { name: 'Overwrite it with mine' }).click();
  await expect(saved(second)).toBeVisible();
  await expect.poll(visitorsSee).toBe('Rivers, by the second tab.');

  await save(third, 'Seas, by the third tab.');
  await question(third).getByRole('button', { name: 'Discard mine, take over what is saved' }).click();
  await expect(bioIn(third)).toHaveValue('Rivers, by the second tab.');
  expect(await visitorsSee()).toBe('Rivers, by the second tab.');
  await save(third, 'Rivers and seas.');
  await expect(saved(third)).toBeVisible();
  await expect.poll(visitorsSee).toBe('Rivers and seas.');
});
