import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '../chromium.ts';
import { installChromium } from '../install-chromium.ts';
import { theSystem } from '../system.ts';
import { signInAs } from './sign-in-as.ts';
import { type Screen, showScreen, viewers, type World } from './screen.ts';
import { screens } from './screens.ts';

/**
 * Shows every screen in turn, those of one viewer on one page, for pictures and measurements.
 *
 * @throws AggregateError of all screens that could not be shown or visited, after the others were.
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
