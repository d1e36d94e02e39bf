import type { Page } from '@playwright/test';
import { updateRow } from '../src/database.ts';
import { makeOffering } from '../src/creators.ts';
import { expect, residentTest, row, rows, test } from '../src/spec-test.ts';

const summaryOf = (page: Page) => page.getByRole('complementary', { name: 'Your profile' });
const panelOf = (page: Page) => page.getByRole('region', { name: /^Your Offerings/ });

test(...row('2.profile-form.edit', 'a creator with a display name'), async ({ openAsResident }) => {
  const page = await openAsResident('/dashboard/edit-profile');
  await expect(page.getByRole('heading', { level: 1, name: 'Edit Your Profile' })).toBeVisible();
});

test(
  ...row('2.profile-form.create', 'a record without a display name'),
  async ({ signedInPage: page, creator }) => {
    await updateRow('creators', `UPDATE creator SET display_name = '' WHERE uid = $1`, [creator.uid]);
    await page.goto('/create-profile');
    await expect(page.getByRole('heading', { level: 1, name: 'Create Your Profile' })).toBeVisible();
  },
);

residentTest(...row('2.profile-form.routes', 'both addresses'), async ({ page, resident }) => {
  for (const path of ['/create-profile', '/dashboard/edit-profile']) {
    await page.goto(path);
    await expect(page.getByLabel('Display Name')).toHaveValue(resident.displayName);
    await expect(page.getByRole('button', { name: 'Save Profile' })).toBeEnabled();
  }
});

test.describe("the resident's dashboard", () => {
  let page: Page;

  test.beforeEach(async ({ openAsResident }) => {
    page = await openAsResident('/dashboard');
    await expect(panelOf(page).getByRole('article').first()).toBeVisible();
  });

  test(...row('1.dashboard', 'a signed-in creator'), async () => {
    await expect(summaryOf(page).getByRole('link', { name: 'Edit Profile' })).toBeVisible();
    await expect(panelOf(page).getByRole('link', { name: /^Edit/ })).toHaveCount(2);
  });

  test(...row('2.dashboard.picture', 'a creator with a picture'), async ({ resident }) => {
    const picture = summaryOf(page).getByRole('img', { name: resident.displayName, exact: true });
    await expect
      .poll(() => picture.evaluate((node) => (node as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
  });

  test(...row('2.dashboard.name', 'a creator'), async ({ resident }) => {
    await expect(summaryOf(page).getByRole('heading', { name: resident.displayName })).toBeVisible();
  });

  test(...row('2.dashboard.bio', 'a creator with a bio'), async () => {
    await expect(summaryOf(page).getByText(/^Paper, ink and patience\./)).toBeVisible();
  });

  test(...row('2.dashboard.username', 'a creator'), async ({ resident }) => {
    await expect(summaryOf(page).getByText(`@${resident.username}`, { exact: true })).toBeVisible();
  });

  test(...row('2.dashboard.count', 'a creator with two offerings'), async () => {
    await expect(page.getByRole('heading', { name: 'Your Offerings (2)' })).toBeVisible();
  });

  test(...row('2.dashboard.offering', 'a creator with two offerings'), async () => {
    const offering = panelOf(page).getByRole('article').last();
    await expect(
      offering.getByRole('heading', { name: 'Averyveryverylongwordthatnobodywouldeverwriteinatitle' }),
    ).toBeVisible();
    await expect(offering.getByText('eBook', { exact: true })).toBeVisible();
  });
});

residentTest(
  ...rows({
    '2.dashboard.public-profile': 'the link is followed',
    '2.dashboard.edit-profile': 'the link is followed',
    '2.dashboard.quick-actions': 'the link is followed',
    '2.add-offering': 'the address is opened',
    '2.dashboard.edit': 'the link is followed',
    '2.edit-offering': 'the address of an own offering is opened',
    '2.dashboard.delete': 'the button is pressed',
  }),
  async ({ page, resident }) => {
    const { username, displayName, offeringId } = resident;
    const backAtDashboard = async () => {
      await page.goBack();
      await expect(page).toHaveURL('/dashboard');
    };
    await page.goto('/dashboard');
    await summaryOf(page).getByRole('link', { name: 'View My Public Profile' }).click();
    await expect(page).toHaveURL(`/profile/${username}`);
    await expect(page.getByRole('heading', { level: 1, name: displayName })).toBeVisible();

    await backAtDashboard();
    await summaryOf(page).getByRole('link', { name: 'Edit Profile' }).click();
    await expect(page).toHaveURL('/dashboard/edit-profile');

    await backAtDashboard();
    const card = page.getByRole('region', { name: 'Quick Actions' });
    await card.getByRole('link', { name: 'Add New Offering' }).click();
    await expect(page).toHaveURL('/dashboard/add-offering');
    // The page works not only after a click, but also when its address is loaded.
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Add New Offering' })).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue('');
    await expect(page.getByRole('button', { name: 'Create Offering' })).toBeEnabled();

    await backAtDashboard();
    await panelOf(page)
      .getByRole('link', { name: /^Edit Averyvery/ })
      .click();
    await expect(page).toHaveURL(`/dashboard/edit-offering/${offeringId}`);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'Edit Offering' })).toBeVisible();
    await expect(page.getByLabel('Title')).toHaveValue(
      'Averyveryverylongwordthatnobodywouldeverwriteinatitle',
    );
    await expect(page.getByRole('button', { name: 'Save Changes' })).toBeEnabled();

    await backAtDashboard();
    await panelOf(page)
      .getByRole('button', { name: /^Delete Averyvery/ })
      .click();
    await expect(page.getByRole('alertdialog', { name: 'Delete this offering?' })).toBeVisible();
  },
);

test(
  ...rows({
    '2.dashboard.no-bio': 'a creator without a bio',
    '2.dashboard.empty': 'a creator without offerings',
  }),
  async ({ dashboardPage: page, words }) => {
    await expect(summaryOf(page).getByText(words, { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Your Offerings (0)' })).toBeVisible();
    await panelOf(page).getByRole('link', { name: 'Create Your First Offering' }).click();
    await expect(page).toHaveURL('/dashboard/add-offering');
  },
);

test(...row('2.dashboard.general', 'a record without a type'), async ({ signedInPage: page, creator }) => {
  const { id } = await makeOffering(creator.token);
  await updateRow('offerings', `UPDATE offering SET type = '' WHERE id = $1`, [id]);
  await page.goto('/dashboard');
  await expect(panelOf(page).getByRole('article').getByText('General', { exact: true })).toBeVisible();
});
