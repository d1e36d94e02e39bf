import { expect, type Page } from '@playwright/test';
import { logIn } from '../sign-in.ts';
import type { Viewer, World } from './screen.ts';

/** Logs in on the page as the viewer of a screen. */
export async function signInAs(page: Page, viewer: Viewer, world: World): Promise<void> {
  if (viewer === 'visitor') return;
  const { browserState } = world[viewer];
  if (browserState) {
    await page.context().setStorageState(browserState);
    return;
  }
  await page.goto('/login');
  await logIn(page, world[viewer]);
  // A user without a profile gets the profile form instead of the dashboard.
  await expect(page).toHaveURL(/\/(dashboard|create-profile)$/);
}
