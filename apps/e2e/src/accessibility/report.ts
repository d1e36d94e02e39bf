// Runs axe over every screen of a seeded system: `npm run accessibility`.
import { type Browser, chromium } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchOptions } from '../chromium.ts';
import { installChromium } from '../install-chromium.ts';
import { markdownTable } from '../markdown.ts';
import { repository } from '../repository.ts';
import { enter } from '../screens/enter.ts';
import {
  look,
  phone,
  type Screen,
  show,
  themes,
  type Viewer,
  viewers,
  widths,
  type World,
} from '../screens/screen.ts';
import { screens } from '../screens/screens.ts';
import { seededWorld } from '../seeding.ts';
import { theSystem } from '../system.ts';
import { examine } from './axe.ts';

interface Row {
  screen: Screen;
  /** Violations by theme and width. */
  found: ReadonlyMap<string, string[]>;
}

const columns = themes.flatMap((theme) =>
  widths.map((width) => ({ theme, width, name: `${theme} ${width}` })),
);
let version = 'unknown';

async function main(): Promise<void> {
  const world = await seededWorld();
  await installChromium(console.error);
  const browser = await chromium.launch(launchOptions());
  const rows: Row[] = [];
  try {
    for (const viewer of viewers) rows.push(...(await examineAll(browser, viewer, world)));
  } finally {
    await browser.close();
  }
  writeFileSync(join(repository, 'docs/accessibility.md'), contents(rows));
  if (rows.some(({ found }) => [...found.values()].some((lines) => lines.length > 0))) process.exitCode = 1;
}

async function examineAll(browser: Browser, viewer: Viewer, world: World): Promise<Row[]> {
  const context = await browser.newContext({ baseURL: theSystem().siteUrl, locale: 'en-GB' });
  const page = await context.newPage();
  await enter(page, viewer, world);
  const rows: Row[] = [];
  for (const screen of screens.filter((one) => one.viewer === viewer)) {
    await show(page, screen, world);
    const found = new Map<string, string[]>();
    for (const { theme, width, name } of columns) {
      if (screen.phone && width !== phone) continue;
      await look(page, width, theme);
      const result = await examine(page);
      version = result.version;
      found.set(name, result.found);
    }
    rows.push({ screen, found });
    console.log(`${screen.name}: ${[...found.values()].flat().length} found`);
  }
  await context.close();
  return rows;
}

function contents(rows: Row[]): string {
  const complaints = rows.flatMap(({ screen, found }) =>
    [...found].flatMap(([name, lines]) =>
      lines.map((line) => `- ${screen.name}, ${name}: ${line.replace(/\s+/g, ' ')}`),
    ),
  );
  const cells = rows.map(({ screen, found }) => [
    screen.name,
    `\`${screen.address}\``,
    ...columns.map(({ name }) => String(found.get(name)?.length ?? '–')),
  ]);
  const head = ['screen', 'address', ...columns.map(({ name }) => name)];
  return `# Accessibility

Written by \`npm run accessibility\`: what axe ${version} finds, with all of its rules, on every screen of a seeded system, by theme and
width in pixels. \`npm test\` asserts the same (apps/e2e/looks/access.spec.ts).

${markdownTable(head, cells)}

${rows.length} screens, ${rows.reduce((sum, { found }) => sum + found.size, 0)} views, ${complaints.length} violations.
${complaints.length > 0 ? `\n${complaints.join('\n')}\n` : ''}`;
}

await main();
