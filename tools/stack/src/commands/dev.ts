import { parseArgs } from 'node:util';
import { apps, type App } from '@stoa/system';
import { Problem } from '@stoa/system/problem';
import { start } from './start.ts';

/** Runs the product from its sources, with hot reload of the web app and restarts of changed services. */
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
  // Makes Keycloak read its theme for every page.
  process.env.STOA_THEME_EDITING ??= 'on';
  return start({ verbose, observe, seed: !empty, development });
}

/** @throws Problem that lists the apps, for an unknown name. */
export function inspectedApps(names: readonly string[]): App[] {
  return names.map((name) => {
    const app = apps.find((known) => known === name);
    if (app) return app;
    throw new Problem(`There is no app "${name}": inspect one of ${apps.join(', ')}.`);
  });
}
