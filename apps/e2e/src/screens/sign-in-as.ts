import { expect, type Page } from '@playwright/test';
import { logIn } from '../sign-in.ts';
import type { Viewer, World } from './screen.ts';

/** Makes a page that of its viewer. */
export async function signInAs(page: Page, viewer: Viewer, world: World): Promise<void> {
  if (viewer === 'visitor') return;
  const { browserState } = world[viewer];
  if (browserState) {
    await page.context().setStorageState(browserState);
    return;
  }
  await page.goto('/login');
  await logIn(page, world[viewer]);
  // Somebody new is led to their profile first.
  await expect(page).toHaveURL(/\/(dashboard|create-profile)$/);
}
