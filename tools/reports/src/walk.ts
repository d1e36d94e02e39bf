import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '@stoa/e2e/chromium';
import { installChromium } from '@stoa/e2e/install-chromium';
import { theSystem } from '@stoa/e2e/system';
import { signInAs } from '@stoa/e2e/screens/sign-in-as';
import { type Screen, showScreen, viewers, type World } from '@stoa/e2e/screens/screen';
import { screens } from '@stoa/e2e/screens/screens';

/**
 * Shows every screen in turn, for pictures and measurements. Screens of one viewer share a browser page.
 *
 * @throws AggregateError of all screens that failed, after the others were shown.
 */
export async function walkScreens(
  world: World,
  visit: (page: Page, screen: Screen) => Promise<void>,
): Promise<void> {
  await installChromium(console.error);
  const failures: Error[] = [];
  const browser = await chromium.launch(launchOptions());
  try {
    for (const viewer of viewers) {
      const context = await browser.newContext({ baseURL: theSystem().siteUrl, locale: 'en-GB' });
      const page = await context.newPage();
      await signInAs(page, viewer, world);
      for (const screen of screens.filter((one) => one.viewer === viewer)) {
        try {
          await showScreen(page, screen, world);
          await visit(page, screen);
        } catch (cause) {
          failures.push(new Error(screen.name, { cause }));
        }
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not every screen could be shown.');
}
