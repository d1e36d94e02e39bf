import { accessPage } from './access.ts';
import { dataPage } from './data-classes.ts';
import { limitsPage } from './limits.ts';
import { metricsPage } from './metrics.ts';
import { code, page, table } from './reference-page.ts';
import { secretsPage } from './secret-purposes.ts';
import { readSettings, type Setting, stepSettings } from './settings.ts';

/** The generated pages of docs/reference, except the call graph. */
export async function generated(): Promise<Map<string, string>> {
  return new Map([
    ['docs/reference/access.md', accessPage()],
    ['docs/reference/data.md', dataPage()],
    ['docs/reference/limits.md', limitsPage()],
    ['docs/reference/metrics.md', metricsPage()],
    ['docs/reference/secrets.md', secretsPage()],
    ['docs/reference/settings.md', settingsPage(await readSettings(), stepSettings())],
  ]);
}

/** The shared settings of all apps, then each app's own, then those of the set-up steps. */
function settingsPage(
  settings: ReadonlyMap<string, Setting[]>,
  steps: ReadonlyMap<string, Setting[]>,
): string {
  const [first = [], ...others] = settings.values();
  const shared = first.filter(({ name }) => others.every((list) => list.some((one) => one.name === name)));
  const isShared = ({ name }: Setting) => shared.some((one) => one.name === name);
  const sections = [...settings].map(
    ([app, list]) => `## ${app}\n\n${settingsTable(list.filter((setting) => !isShared(setting)))}`,
  );
  const prepared = [...steps].map(([step, list]) => `## ${step}\n\n${settingsTable(list)}`);
  return page(
    'Settings',
    'Environment variables, from the environment schemas of the processes. A process reads them once at its start. It exits with a list of those that are missing. [Processes](../operate/processes.md) explains the most important ones.',
    `## Every process\n\n${settingsTable(shared)}`,
    ...sections,
    ...prepared,
  );
}

const settingsTable = (settings: readonly Setting[]): string =>
  table(
    ['variable', 'default', 'meaning'],
    settings.map(({ name, meaning, preset }) => [
      code(name),
      preset === undefined ? '**required**' : preset && code(preset),
      meaning,
    ]),
  );
