import type { Page } from '@playwright/test';
import { photoOfSize } from '../src/pictures.ts';
import { expect, residentTest as test, row, rows } from '../src/spec-test.ts';

const fiveMegabytes = 5 * 1024 * 1024;
const coverOf = (page: Page) => page.getByLabel('Cover Image');
const create = (page: Page) => page.getByRole('button', { name: 'Create Offering' }).click();
const typeOf = (page: Page) => page.getByLabel('Type', { exact: false });

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(coverOf(page)).toBeEnabled();
}

test.describe('the page of a new offering', () => {
  let page: Page;

  test.beforeEach(async ({ openAsResident }) => {
    page = await openAsResident('/dashboard/add-offering');
    await expect(coverOf(page)).toBeEnabled();
  });

  test(...row('5.offering.type', 'the list has a selected option and no empty option'), async () => {
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

test(
  ...rows({
    '5.offering.cover': 'the form is sent without a cover',
    '5.offering.title': 'the form is sent without it',
    '5.offering.price': 'the form is sent without it',
    '5.offering.payment-link': 'the form is sent without it, then with something else',
  }),
  async ({ page, words }) => {
    await open(page, '/dashboard/add-offering');
    const paymentLink = page.getByLabel('Payment Link');
    await create(page);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    for (const label of ['Title', 'Price', 'Payment Link']) {
      const field = page.getByLabel(label);
      await expect(field).toHaveAttribute('required', '');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveAccessibleDescription(/This field is required\./);
    }
    await expect(page.getByLabel('Cover Image')).toBeFocused();
    await expect(paymentLink).toHaveAttribute('type', 'url');
    await paymentLink.fill('javascript:alert(1)');
    await create(page);
    await expect(paymentLink).toHaveAccessibleDescription(
      /Enter a link that starts with http:\/\/ or https:\/\/\./,
    );
    await expect(page).toHaveURL('/dashboard/add-offering');
  },
);

test(
  ...rows({
    '3.types.consultation': 'the label is chosen',
    '3.types.course': 'the label is chosen',
    '5.offering.counter': 'text is typed and taken away',
    '9.description.as-people-count': 'families, flags, skin tones and an accent of its own',
    '9.description.1001': '1001 letters',
  }),
  async ({ page }) => {
    await open(page, '/dashboard/add-offering');
    await typeOf(page).selectOption({ label: '1:1 Consultation' });
    await expect(typeOf(page)).toHaveValue('Consultation');
    await typeOf(page).selectOption({ label: 'Online Course' });
    await expect(typeOf(page)).toHaveValue('Course');

    const description = page.getByLabel('Description');
    await expect(page.getByText('0 / 1000 characters')).toBeVisible();
    await description.pressSequentially('Twelve');
    await expect(page.getByText('6 / 1000 characters')).toBeVisible();
    await description.press('Backspace');
    await expect(page.getByText('5 / 1000 characters')).toBeVisible();
    for (const character of ['👨‍👩‍👧‍👦', '🇿🇦', '👋🏾', 'e\u0301', '1️⃣']) {
      await description.fill('');
      await expect(page.getByText('0 / 1000 characters')).toBeVisible();
      await description.fill(character.repeat(7));
      await expect(page.getByText('7 / 1000 characters'), character).toBeVisible();
    }
    await description.fill('x'.repeat(1001));
    await expect(page.getByText('1001 / 1000 characters')).toBeVisible();
    await create(page);
    await expect(description).toHaveAccessibleDescription(/Must be at most 1000 characters\./);
  },
);

test(
  ...rows({
    '5.offering.cover-size': 'a cover of 5 MiB and one byte',
    '9.cover.5mb': 'a cover of exactly 5 MiB',
  }),
  async ({ page, words }) => {
    await open(page, '/dashboard/add-offering');
    await coverOf(page).setInputFiles(await photoOfSize(fiveMegabytes + 1));
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await coverOf(page).setInputFiles(await photoOfSize(fiveMegabytes));
    await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
    await expect(page.getByText(/^Cover image/)).toHaveCount(0);
  },
);

test(
  ...rows({
    '5.offering.cover-size-edit': 'a cover of 5 MiB and one byte',
    '9.cover.5mb-edit': 'a cover of exactly 5 MiB',
  }),
  async ({ page, resident, words }) => {
    await open(page, `/dashboard/edit-offering/${resident.offeringId}`);
    const current = page.getByRole('img', { name: 'Current picture' });
    const before = await current.getAttribute('src');
    await coverOf(page).setInputFiles(await photoOfSize(fiveMegabytes + 1));
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    await coverOf(page).setInputFiles(await photoOfSize(fiveMegabytes));
    await expect(current).not.toHaveAttribute('src', before ?? '');
    await expect(page.getByText(/^Cover image file/)).toHaveCount(0);
  },
);
