import type { Page } from '@playwright/test';
import { examine } from '../src/accessibility/axe.ts';
import { makeCreator, makeFullCreator } from '../src/creators.ts';
import { enter } from '../src/screens/enter.ts';
import { look, phone, type Screen, show, themes, viewers, type World } from '../src/screens/screen.ts';
import { screens } from '../src/screens/screens.ts';
import { expect, test } from '../src/test.ts';

let world: World;

test.beforeAll(async () => {
  world = { creator: await makeFullCreator(), newcomer: await makeCreator() };
});

/** Enough for a worker to share the screens of one viewer with others, and not sign in for each. */
const share = 4;

for (const viewer of viewers) {
  const theirs = screens.filter((screen) => screen.viewer === viewer);
  for (let first = 0; first < theirs.length; first += share) {
    const some = theirs.slice(first, first + share);
    test(`axe finds nothing and nothing scrolls sideways: ${some.map(({ name }) => name).join(', ')}`, async ({
      page,
    }) => {
      test.setTimeout(240_000);
      await enter(page, viewer, world);
      for (const screen of some) {
        await show(page, screen, world);
        await judge(page, screen);
      }
    });
  }
}

async function judge(page: Page, screen: Screen): Promise<void> {
  for (const width of screen.phone ? [phone] : ([phone, 1280] as const)) {
    for (const theme of themes) {
      await look(page, width, theme);
      const { found } = await examine(page);
      expect.soft(found, `${screen.name}, ${theme}, ${width} px`).toEqual([]);
    }
    expect.soft(await tooWide(page), `${screen.name}, ${width} px`).toEqual([]);
  }
}

/** What reaches beyond the right edge of a page that scrolls sideways. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.tagName.toLowerCase()}.${element.className}`.slice(0, 120));
  });
}
