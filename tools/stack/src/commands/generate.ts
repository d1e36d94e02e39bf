import { buildAll } from '@stoa/system/apps/build';
import { inRepository } from '@stoa/system/paths';
import { Problem } from '@stoa/system/problem';
import { createReporter } from '@stoa/system/progress';
import { writeFileSync } from 'node:fs';
import { generatedFiles, modules } from '../generated.ts';
import { script } from './script.ts';

/** Scripts for files that need a running gateway or Playwright; tests compare the results. */
const scripts = {
  openapi: [
    ['@stoa/gateway', 'openapi'],
    ['@stoa/web', 'generate'],
  ],
  'spec-coverage': [['@stoa/e2e', 'spec-coverage']],
} as const;

/** The names of generated files, in the order of their dependencies. */
export const generatable = [...Object.keys(scripts), ...Object.keys(modules)];

const isModule = (name: string): name is keyof typeof modules => name in modules;

/** Writes the named generated files, by default all. `npm test` fails if one is stale. */
export async function generate(names: string[]): Promise<number> {
  const unknown = names.find((name) => !generatable.includes(name));
  if (unknown)
    throw new Problem(`No generated file is called ${unknown}: name some of ${generatable.join(', ')}.`);
  // Builds all workspaces but the web app, whose types come from files that are generated here.
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
