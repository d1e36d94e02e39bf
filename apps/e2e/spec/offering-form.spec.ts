import type { Page } from '@playwright/test';
import { aPhotoOf } from '../src/pictures.ts';
import { expect, residentTest as test, row } from '../src/spec-test.ts';

const fiveMegabytes = 5 * 1024 * 1024;
const coverOf = (page: Page) => page.getByLabel('Cover Image');
const create = (page: Page) => page.getByRole('button', { name: 'Create Offering' }).click();
const typeOf = (page: Page) => page.getByLabel('Type', { exact: false });

async function expectRequired(page: Page, label: string): Promise<void> {
  await expect(page.getByLabel(label)).toHaveAttribute('required', '');
  await create(page);
  await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel(label)).toHaveAccessibleDescription(/This field is required\./);
  await expect(page).toHaveURL('/dashboard/add-offering');
}

test.describe('a new offering, looked at', () => {
  let page: Page;

  test.beforeEach(async ({ lookAsResident }) => {
    page = await lookAsResident('/dashboard/add-offering');
    await expect(coverOf(page)).toBeEnabled();
  });

  test(...row('5.offering.type', 'the list has a choice made and none that is empty'), async () => {
    await expect(typeOf(page)).toHaveAttribute('required', '');
    const values = await typeOf(page)
      .getByRole('option')
      .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
    expect(values).toHaveLength(6);
    expect(values).not.toContain('');
  });

  test(...row('3.types', 'the choices of the list'), async () => {
    const values = await typeOf(page)
      .getByRole('option')
      .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value));
    expect(values).toEqual([
      'PDF / Digital Download',
      'eBook',
      'Workshop',
      'Consultation',
      'Course',
      'Other',
    ]);
  });

  test(...row('3.types.default', 'the form is opened'), async () => {
    await expect(typeOf(page)).toHaveValue('PDF / Digital Download');
  });
});

test.describe('a new offering', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/dashboard/add-offering');
    await expect(coverOf(page)).toBeEnabled();
  });

  test(...row('5.offering.cover', 'the form is sent without a cover'), async ({ page, words }) => {
    await create(page);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await expect(page).toHaveURL('/dashboard/add-offering');
  });

  test(...row('5.offering.cover-size', 'a cover of 5 MiB and one byte'), async ({ page, words }) => {
    await coverOf(page).setInputFiles(await aPhotoOf(fiveMegabytes + 1));
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  test(...row('9.cover.5mb', 'a cover of exactly 5 MiB'), async ({ page }) => {
    await coverOf(page).setInputFiles(await aPhotoOf(fiveMegabytes));
    await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
    await expect(page.getByText(/^Cover image/)).toHaveCount(0);
  });

  test(...row('5.offering.title', 'the form is sent without it'), async ({ page }) => {
    await expectRequired(page, 'Title');
    await expect(page.getByLabel('Title')).toBeFocused();
  });

  test(...row('5.offering.price', 'the form is sent without it'), async ({ page }) => {
    await expectRequired(page, 'Price');
  });

  test(
    ...row('5.offering.payment-link', 'the form is sent without it, then with something else'),
    async ({ page }) => {
      await expect(page.getByLabel('Payment Link')).toHaveAttribute('type', 'url');
      await expectRequired(page, 'Payment Link');
      await page.getByLabel('Payment Link').fill('javascript:alert(1)');
      await create(page);
      await expect(page.getByLabel('Payment Link')).toHaveAccessibleDescription(
        /Enter a link that starts with http:\/\/ or https:\/\/\./,
      );
    },
  );

  test(...row('3.types.consultation', 'the label is chosen'), async ({ page }) => {
    await typeOf(page).selectOption({ label: '1:1 Consultation' });
    await expect(typeOf(page)).toHaveValue('Consultation');
  });

  test(...row('3.types.course', 'the label is chosen'), async ({ page }) => {
    await typeOf(page).selectOption({ label: 'Online Course' });
    await expect(typeOf(page)).toHaveValue('Course');
  });

  test(...row('5.offering.counter', 'text is typed and taken away'), async ({ page }) => {
    await expect(page.getByText('0 / 1000 characters')).toBeVisible();
    await page.getByLabel('Description').pressSequentially('Twelve');
    await expect(page.getByText('6 / 1000 characters')).toBeVisible();
    await page.getByLabel('Description').press('Backspace');
    await expect(page.getByText('5 / 1000 characters')).toBeVisible();
  });

  test(...row('9.description.1001', '1001 letters'), async ({ page }) => {
    await page.getByLabel('Description').fill('x'.repeat(1001));
    await expect(page.getByText('1001 / 1000 characters')).toBeVisible();
    await create(page);
    await expect(page.getByLabel('Description')).toHaveAccessibleDescription(
      /Must be at most 1000 characters\./,
    );
  });

  test(
    ...row('9.description.as-people-count', 'families, flags, skin tones and an accent of its own'),
    async ({ page }) => {
      for (const character of ['👨‍👩‍👧‍👦', '🇿🇦', '👋🏾', 'e\u0301', '1️⃣']) {
        await page.getByLabel('Description').fill(character.repeat(7));
        await expect(page.getByText('7 / 1000 characters'), character).toBeVisible();
      }
    },
  );
});

test.describe('an offering that is there', () => {
  test.beforeEach(async ({ page, resident }) => {
    await page.goto(`/dashboard/edit-offering/${resident.offeringId}`);
    await expect(coverOf(page)).toBeEnabled();
  });

  test(...row('5.offering.cover-size-edit', 'a cover of 5 MiB and one byte'), async ({ page, words }) => {
    await coverOf(page).setInputFiles(await aPhotoOf(fiveMegabytes + 1));
    await expect(page.getByText(words, { exact: true })).toBeVisible();
  });

  test(...row('9.cover.5mb-edit', 'a cover of exactly 5 MiB'), async ({ page }) => {
    const before = await page.getByRole('img', { name: 'Current picture' }).getAttribute('src');
    await coverOf(page).setInputFiles(await aPhotoOf(fiveMegabytes));
    await expect(page.getByRole('img', { name: 'Current picture' })).not.toHaveAttribute('src', before ?? '');
    await expect(page.getByText(/^Cover image file/)).toHaveCount(0);
  });
});
