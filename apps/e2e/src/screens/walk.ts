import { chromium, type Page } from '@playwright/test';
import { launchOptions } from '../chromium.ts';
import { installChromium } from '../install-chromium.ts';
import { theSystem } from '../system.ts';
import { signInAs } from './sign-in-as.ts';
import { type Screen, showScreen, viewers, type World } from './screen.ts';
import { screens } from './screens.ts';

/** Shows every screen in turn, those of one viewer on one page, for pictures and measurements. */
export async function walkScreens(
  world: World,
  visit: (page: Page, screen: Screen) => Promise<void>,
): Promise<void> {
  await installChromium(console.error);
  const browser = await chromium.launch(launchOptions());
  try {
    for (const viewer of viewers) {
      const context = await browser.newContext({ baseURL: theSystem().siteUrl, locale: 'en-GB' });
      const page = await context.newPage();
      await signInAs(page, viewer, world);
      for (const screen of screens.filter((one) => one.viewer === viewer)) {
        await showScreen(page, screen, world);
        await visit(page, screen);
      }
      await context.close();
    }
  } finally {
    await browser.close();
  }
}
