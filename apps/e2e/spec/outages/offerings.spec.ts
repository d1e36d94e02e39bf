import type { BrowserContext, Page } from '@playwright/test';
import { controlProcess, whileDown } from '../../src/process-control.ts';
import { makeOffering } from '../../src/creators.ts';
import { fillOffering } from '../../src/fill-in.ts';
import { expect, residentTest, row, test } from '../../src/spec-test.ts';
import { theSystem } from '../../src/system.ts';

async function fillNew(page: Page): Promise<void> {
  await page.goto('/dashboard/add-offering');
  await fillOffering(page, 'A column');
}

test(
  ...row('4.busy.create', 'the offerings service hangs while an offering is sent'),
  async ({ signedInPage: page }) => {
    await fillNew(page);
    await whileDown(
      'offerings',
      async () => {
        await page.getByRole('button', { name: 'Create Offering' }).click();
        await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled();
      },
      'pause',
    );
    await expect(page).toHaveURL('/dashboard');
  },
);

test(
  ...row('4.busy.edit', 'the offerings service hangs while a change is sent'),
  async ({ signedInPage: page, creator }) => {
    const { id } = await makeOffering(creator.token);
    await page.goto(`/dashboard/edit-offering/${id}`);
    await page.getByLabel('Price').fill('R2');
    await whileDown(
      'offerings',
      async () => {
        await page.getByRole('button', { name: 'Save Changes' }).click();
        await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
      },
      'pause',
    );
    await expect(page.getByText('Offering updated successfully!')).toBeVisible();
  },
);

residentTest(
  ...row('2.download.preparing', 'the offerings service hangs, then goes on'),
  async ({ page, resident, words }) => {
    await whileDown(
      'offerings',
      async () => {
        await page.goto(`/download/${resident.uid}/${resident.offeringId}`);
        await expect(page.getByText(words, { exact: true })).toBeVisible();
      },
      'pause',
    );
    await expect(page.getByText(/^Thank you/)).toBeVisible();
    await expect(page.getByText(words, { exact: true })).toHaveCount(0);
  },
);

test.describe('the offerings service is stopped while pages are open', () => {
  let context: BrowserContext;
  let dashboard: Page;
  let adding: Page;
  let editing: Page;

  test.beforeAll(async ({ browser, resident }) => {
    context = await browser.newContext({
      storageState: resident.browserState,
      baseURL: theSystem().siteUrl,
    });
    [dashboard, adding, editing] = [
      await context.newPage(),
      await context.newPage(),
      await context.newPage(),
    ];
    await dashboard.goto('/dashboard');
    await expect(dashboard.getByRole('button', { name: /^Delete/ })).toHaveCount(2);
    await fillNew(adding);
    await editing.goto(`/dashboard/edit-offering/${resident.offeringId}`);
    await editing.getByLabel('Price').fill('R3');
    await controlProcess('stop', 'offerings');
  });

  test.afterAll(async () => {
    await controlProcess('start', 'offerings');
    await context.close();
  });

  test(
    ...row('8.offering.create', 'the offerings service is stopped while the form is filled in'),
    async ({ words }) => {
      await adding.getByRole('button', { name: 'Create Offering' }).click();
      await expect(adding.getByText(words, { exact: true })).toBeVisible();
      await expect(adding.getByLabel('Title')).toHaveValue('A column');
    },
  );

  test(
    ...row('8.offering.update', 'the offerings service is stopped while the form is filled in'),
    async ({ words }) => {
      await editing.getByRole('button', { name: 'Save Changes' }).click();
      await expect(editing.getByText(words, { exact: true })).toBeVisible();
      await expect(editing.getByLabel('Price')).toHaveValue('R3');
    },
  );

  test(
    ...row('8.offering.delete', 'the offerings service is stopped before the question is answered'),
    async ({ words }) => {
      await dashboard
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click();
      await dashboard.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await expect(dashboard.getByText(words, { exact: true }).first()).toBeVisible();
      await expect(dashboard.getByRole('button', { name: /^Delete/ })).toHaveCount(2);
    },
  );

  test(...row('2.download.failed', 'the offerings service is stopped'), async ({ resident, words }) => {
    await dashboard.goto(`/download/${resident.uid}/${resident.offeringId}`);
    await expect(dashboard.getByText(words, { exact: true })).toBeVisible();
    await expect(dashboard.getByRole('button', { name: 'Try again' })).toBeVisible();
  });
});
