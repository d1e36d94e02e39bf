import { expect, type Page } from '@playwright/test';
import { randomUUID } from 'node:crypto';
import { randomPhoto } from './pictures.ts';

/** Fills in a contact form, and returns its random subject. */
export async function fillContactForm(page: Page, subject = `A question ${randomUUID()}`): Promise<string> {
  await page.getByLabel('Name').fill('Thandi Dube');
  await page.getByLabel('Email').fill('thandi@example.test');
  await page.getByLabel('Subject').fill(subject);
  await page.getByLabel('Message').fill('Do you have a shop in Durban?\n\nThank you.');
  return subject;
}

/** Fills in the required fields of a new offering, and uploads a cover. */
export async function fillOffering(page: Page, title: string, price = 'R150'): Promise<void> {
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Price').fill(price);
  await page.getByLabel('Payment Link').fill('https://pay.example.com/letters');
  await page.getByLabel('Cover Image').setInputFiles(await randomPhoto());
  await expect(page.getByRole('img', { name: 'Current picture' })).toBeVisible();
}

/** Saves the profile form after a sign-up, with a public mail address. This publishes the profile. */
export async function publishProfile(page: Page): Promise<void> {
  await expect(page).toHaveURL('/create-profile');
  await page.getByRole('radio', { name: 'Show my email address' }).check();
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Profile updated successfully!')).toBeVisible();
}
