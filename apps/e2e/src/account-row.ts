import { expect, type Locator, type Page } from '@playwright/test';

export async function openAccountRow(page: Page, name: string): Promise<Locator> {
  const row = page.getByRole('region', { name });
  await expect(row).toBeVisible();
  await row.getByRole('button', { name, expanded: false }).click();
  return row;
}
