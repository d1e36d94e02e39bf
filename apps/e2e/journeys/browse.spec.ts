import type { Page, Request } from '@playwright/test';
import { makeCreator, saveProfile } from '../src/creators.ts';
import { painted } from '../src/settled.ts';
import { expect, test } from '../src/test.ts';

/** Settles when the browser is done with a request: its answer is there, or it was given up. */
function endOf(page: Page, request: Request): Promise<unknown> {
  const isThis = { predicate: (candidate: Request) => candidate === request };
  return Promise.race([
    page.waitForEvent('requestfinished', isThis),
    page.waitForEvent('requestfailed', isThis),
  ]);
}

test('a slow answer to an old search never shows under a new one', async ({ page }) => {
  const [first, second] = await Promise.all([makeCreator(), makeCreator()]);
  const late = Promise.withResolvers<undefined>();
  await page.route(
    (url) => url.searchParams.get('search') === first.username,
    async (route) => {
      await late.promise;
      // A page that has given this question up takes no answer.
      await route.continue().catch(() => undefined);
    },
  );
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  const asked = page.waitForRequest((request) => request.url().includes(first.username));
  await search.fill(first.username);
  const ended = endOf(page, await asked);
  await search.fill(second.username);
  await expect(page.getByRole('article').filter({ hasText: second.displayName })).toBeVisible();
  late.resolve(undefined);
  await ended;
  await painted(page);
  await expect(page.getByText('1 creator', { exact: true })).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: first.displayName })).toHaveCount(0);
});

test('a backslash and an emoji are searched for as they are', async ({ page }) => {
  const creator = await makeCreator();
  const mark = creator.username.slice(-8);
  await saveProfile(creator.token, { displayName: `${mark} C:\\art 🎨` });
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  const card = page.getByRole('article').filter({ hasText: mark });
  for (const found of [`${mark} c:\\art`, `${mark} c:\\art 🎨`]) {
    await search.fill(found);
    await expect(card).toBeVisible();
    await search.fill(`${mark}\\`);
    await expect(page.getByText(/No creators found matching your criteria/)).toBeVisible();
  }
});
