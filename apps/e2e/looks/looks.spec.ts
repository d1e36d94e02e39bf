import type { Page } from '@playwright/test';
import { makeFullCreator } from '../src/creators.ts';
import { expectNoComplaint, expectNoSidewaysScroll } from '../src/judge.ts';
import { accountRoutes, creatorRoutes, publicRoutes } from '../src/routes.ts';
import { settled } from '../src/settled.ts';
import { logIn } from '../src/sign-in.ts';
import { expect, test } from '../src/test.ts';

type FullCreator = Awaited<ReturnType<typeof makeFullCreator>>;
let creator: FullCreator;

test.beforeAll(async () => {
  creator = await makeFullCreator();
});

const groups = {
  'public pages': () => publicRoutes(creator.username),
  'account pages': () => accountRoutes,
  "creator's pages": () => creatorRoutes(creator),
};

for (const [group, routes] of Object.entries(groups)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds nothing on the ${group} in ${colorScheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await enter(page, group);
      for (const { name, path } of routes()) {
        await page.goto(path);
        await settled(page);
        await expectNoComplaint(page, `${name}, ${colorScheme}`);
      }
    });
  }

  test(`no ${group} scroll sideways at 360 px`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await enter(page, group);
    for (const { name, path } of routes()) {
      await page.goto(path);
      await settled(page);
      await expectNoSidewaysScroll(page, name);
    }
  });
}

async function enter(page: Page, group: string): Promise<void> {
  if (group !== "creator's pages") return;
  await page.goto('/login');
  await logIn(page, creator);
  await expect(page).toHaveURL('/dashboard');
}

test('axe finds nothing in the open menu, the question before deleting and a form with errors', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await enter(page, "creator's pages");
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expectNoComplaint(page, 'menu');
  await page.getByRole('button', { name: 'Close menu' }).click();
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectNoComplaint(page, 'question');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.goto('/dashboard/add-offering');
  await page.getByRole('button', { name: 'Create Offering' }).click();
  await expect(page.getByText('Please select a cover image.', { exact: true })).toBeVisible();
  await expectNoComplaint(page, 'form with errors');
});
