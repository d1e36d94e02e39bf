import { buildAll } from '@stoa/system/apps/build';
import { Problem } from '@stoa/system/problem';
import { createReporter } from '@stoa/system/progress';
import { script } from './script.ts';

/** What is written from the code, by the scripts that write it. `npm test` fails when one of them is stale. */
export const generators = {
  openapi: [
    ['@stoa/gateway', 'openapi'],
    ['@stoa/web', 'api:types'],
  ],
  nats: [['@stoa/system', 'nats']],
  operations: [['@stoa/operations', 'write']],
  slo: [['@stoa/slo', 'write']],
  'call-graph': [['@stoa/kubernetes', 'call-graph']],
  'spec-coverage': [['@stoa/e2e', 'spec-coverage']],
} as const;

/** Writes what is named, or all of it. */
export async function generate(names: string[]): Promise<number> {
  const chosen = names.length > 0 ? names : Object.keys(generators);
  const unknown = chosen.find((name) => !(name in generators));
  if (unknown)
    throw new Problem(`Nothing generated is called ${unknown}: ${Object.keys(generators).join(', ')}.`);
  // The web app is typed by what is generated here.
  await buildAll(createReporter(), ['@stoa/web']);
  for (const name of chosen) {
    for (const [workspace, target] of generators[name as keyof typeof generators])
      await script(workspace, target);
  }
  return 0;
}
