import { makeCreator, saveProfile } from '../src/creators.ts';
import { expect, test } from '../src/test.ts';

test('a slow answer to an old search never shows under a new one', async ({ page }) => {
  const [first, second] = await Promise.all([makeCreator(), makeCreator()]);
  const late = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  await page.route(
    (url) => url.searchParams.get('search') === first.username,
    async (route) => {
      await late.promise;
      // The page has given this question up; the answer may find nobody.
      await route.continue().catch(() => undefined);
      answered.resolve(undefined);
    },
  );
  await page.goto('/browse-creators');
  const search = page.getByRole('searchbox', { name: 'Search creators' });
  const asked = page.waitForRequest((request) => request.url().includes(first.username));
  await search.fill(first.username);
  await asked;
  await search.fill(second.username);
  await expect(page.getByRole('article').filter({ hasText: second.displayName })).toBeVisible();
  late.resolve(undefined);
  await answered.promise;
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
