import { parseArgs } from 'node:util';
import { apps, type App } from '@stoa/system';
import { Problem } from '@stoa/system/problem';
import { start } from './start.ts';

/** Runs the product from its sources: the web app with hot reload, and each service anew when it changes. */
export async function dev(args: string[]): Promise<number> {
  const {
    verbose = false,
    observe = false,
    'no-seed': empty = false,
    inspect = [],
  } = parseArgs({
    args,
    options: {
      verbose: { type: 'boolean' },
      'no-seed': { type: 'boolean' },
      observe: { type: 'boolean' },
      inspect: { type: 'string', multiple: true },
    },
  }).values;
  const development = { inspected: inspectedApps(inspect) };
  // Keycloak reads its theme anew with every page.
  process.env.STOA_THEME_EDITING ??= 'on';
  return start({ verbose, observe, seed: !empty, development });
}

/** @throws Problem that lists the apps, for a name that is none. */
export function inspectedApps(names: readonly string[]): App[] {
  return names.map((name) => {
    const app = apps.find((known) => known === name);
    if (app) return app;
    throw new Problem(`There is no app "${name}": inspect one of ${apps.join(', ')}.`);
  });
}
