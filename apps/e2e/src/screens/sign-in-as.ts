import { expect, type Page } from '@playwright/test';
import { logIn } from '../sign-in.ts';
import type { Viewer, World } from './screen.ts';

/** Signs a page in as its viewer. */
export async function signInAs(page: Page, viewer: Viewer, world: World): Promise<void> {
  if (viewer === 'visitor') return;
  const { browserState } = world[viewer];
  if (browserState) {
    await page.context().setStorageState(browserState);
    return;
  }
  await page.goto('/login');
  await logIn(page, world[viewer]);
  // A new user first gets the profile form.
  await expect(page).toHaveURL(/\/(dashboard|create-profile)$/);
}
