import { buildAll } from '@stoa/system/apps/build';
import { inRepository } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { createReporter } from '@stoa/system/progress';
import { writeFileSync } from 'node:fs';
import { generatedFiles, modules } from '../generated.ts';
import { script } from './script.ts';

/** What only a running gateway and Playwright can say, by the scripts that write it; tests beside them compare it. */
const scripts = {
  openapi: [
    ['@stoa/gateway', 'openapi'],
    ['@stoa/web', 'api:types'],
  ],
  'spec-coverage': [['@stoa/e2e', 'spec-coverage']],
} as const;

/** What can be written by its name; first what others read. */
export const generatable = [...Object.keys(scripts), ...Object.keys(modules)];

const isModule = (name: string): name is keyof typeof modules => name in modules;

/** Writes what is named, or all that is generated. `npm test` fails when some of it is stale. */
export async function generate(names: string[]): Promise<number> {
  const unknown = names.find((name) => !generatable.includes(name));
  if (unknown) throw new Problem(`Nothing generated is called ${unknown}: ${generatable.join(', ')}.`);
  // The web app is typed by what is generated here.
  await buildAll(createReporter(), ['@stoa/web']);
  for (const name of names.length > 0 ? names : generatable) {
    if (isModule(name))
      for (const [path, text] of await generatedFiles(name)) writeFileSync(inRepository(path), text);
    else
      for (const [workspace, target] of scripts[name as keyof typeof scripts])
        await script(workspace, target);
  }
  return 0;
}
