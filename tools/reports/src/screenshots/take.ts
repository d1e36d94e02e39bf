// Takes screenshots of every screen of a seeded system: `npm run stoa screenshots`. Names as arguments select
// screens; the other pictures stay.
import type { Page } from '@playwright/test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@stoa/e2e/repository';
import { DistinctScreenshots, screenshotOf } from '@stoa/e2e/screens/screenshot';
import { setViewportAndTheme, phone, type Screen, themes, widths } from '@stoa/e2e/screens/screen';
import { screens } from '@stoa/e2e/screens/screens';
import { walkScreens } from '../walk.ts';
import { seededWorld } from '../seeding.ts';
import { bytesOf, joinViews, type View, writePicture } from './sheet.ts';
import { takeTrace } from './take-trace.ts';

const folder = join(repository, 'docs/evidence/screenshots');
/** Screens with a picture of their own in the README. */
const singles = ['home', 'browse', 'profile', 'dashboard', 'signup'];
const only = process.argv.slice(2);
const distinct = new DistinctScreenshots();

async function main(): Promise<void> {
  const world = await seededWorld();
  if (only.length === 0) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await walkScreens(world, take);
  if (only.length === 0) await takeTrace(join(folder, 'trace.webp'));
  writeFileSync(join(repository, 'docs/evidence/screenshots.md'), contents());
}

async function take(page: Page, screen: Screen): Promise<void> {
  if (only.length > 0 && !only.includes(screen.name)) return;
  const views = await viewsOf(page, screen);
  const file = join(folder, `${screen.name}.webp`);
  await joinViews(views, file);
  distinct.add(screen.name, readFileSync(file));
  if (singles.includes(screen.name)) {
    const view = views.find(({ width, theme }) => width === 1280 && theme === 'light');
    if (view) await writePicture(view.png, join(folder, `${screen.name}-1280-light.webp`));
  }
  console.log(`${screen.name}: ${(bytesOf(file) / 1024).toFixed(0)} KB`);
}

async function viewsOf(page: Page, screen: Screen): Promise<View[]> {
  const views: View[] = [];
  for (const theme of themes) {
    for (const width of widths) {
      if (screen.phone && width !== phone) continue;
      await setViewportAndTheme(page, width, theme);
      await loadLazyPictures(page);
      views.push({ width, theme, ...(await screenshotOf(page, screen)) });
    }
  }
  return views;
}

/** Also loads pictures below the fold, which browsers load lazily. */
async function loadLazyPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    window.scrollTo({ top: 0, behavior: 'instant' });
  });
}

function contents(): string {
  const sections = screens.map(
    ({ name, address, viewer }) =>
      `## ${name}\n\n\`${address}\`, seen by ${viewer === 'operator' ? 'an' : 'a'} ${viewer}\n\n![${name} in light and dark](screenshots/${name}.webp)\n`,
  );
  return `# Screenshots

Written by \`npm run stoa screenshots\`: every screen of a seeded system at ${widths.join(', ')} px, light above dark. Long pages are cut.

${sections.join('\n')}`;
}

await main();
