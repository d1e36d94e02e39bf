// Runs axe on every screen of a seeded system: `npm run stoa accessibility`.
import type { Page } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../markdown.ts';
import { repository } from '@stoa/e2e/repository';
import { setViewportAndTheme, phone, type Screen, themes, widths } from '@stoa/e2e/screens/screen';
import { walkScreens } from '../walk.ts';
import { seededWorld } from '../seeding.ts';
import { runAxe } from '@stoa/e2e/accessibility/axe';

interface Row {
  screen: Screen;
  /** Violations by theme and width. */
  found: ReadonlyMap<string, string[]>;
  undecided: ReadonlySet<string>;
}

const columns = themes.flatMap((theme) =>
  widths.map((width) => ({ theme, width, name: `${theme} ${width}` })),
);
let version = 'unknown';

async function main(): Promise<void> {
  const rows: Row[] = [];
  await walkScreens(await seededWorld(), async (page, screen) => {
    const { found, undecided } = await examineEach(page, screen);
    rows.push({ screen, found, undecided });
    console.log(`${screen.name}: ${[...found.values()].flat().length} found`);
  });
  writeFileSync(join(repository, 'docs/evidence/accessibility.md'), contents(rows));
  if (rows.some(({ found }) => [...found.values()].some((lines) => lines.length > 0))) process.exitCode = 1;
}

async function examineEach(page: Page, screen: Screen): Promise<Omit<Row, 'screen'>> {
  const found = new Map<string, string[]>();
  const undecided = new Set<string>();
  for (const { theme, width, name } of columns) {
    if (screen.phone && width !== phone) continue;
    await setViewportAndTheme(page, width, theme);
    const result = await runAxe(page);
    version = result.version;
    found.set(name, result.violations);
    for (const line of result.incomplete) undecided.add(line);
  }
  return { found, undecided };
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

Written by \`npm run stoa accessibility\`: what axe ${version} finds, with all of its rules, on every screen of a seeded system, by theme and
width in pixels. \`npm test\` asserts the same (apps/e2e/looks/accessibility.spec.ts).

${markdownTable(head, cells)}

${rows.length} screens, ${rows.reduce((sum, { found }) => sum + found.size, 0)} views, ${complaints.length} violations.
${complaints.length > 0 ? `\n${complaints.join('\n')}\n` : ''}
## Undecided by axe and by us (apps/e2e/src/accessibility/decisions.ts contains the decisions and their reasons)

${undecidedOf(rows)}
`;
}

/** The rules that axe could not decide, with the number of screens. */
function undecidedOf(rows: Row[]): string {
  const screensOf = Map.groupBy(
    rows.flatMap(({ screen, undecided }) => [...undecided].map((line) => ({ line, name: screen.name }))),
    ({ line }) => line.replace(/\s+/g, ' '),
  );
  if (screensOf.size === 0) return 'Nothing.';
  const lines = [...screensOf].map(
    ([line, seen]) => `- ${line}: ${seen.length} screens, as ${seen[0]?.name}`,
  );
  return lines.toSorted().join('\n');
}

await main();
