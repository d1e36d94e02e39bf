import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { services } from '@stoa/system/settings/names';
import { globSync, readFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

/** Files that may list the services; generated files, tests and drills are excluded. */
const files = globSync(
  [
    '*.{mjs,yml}',
    'Dockerfile',
    'deploy/**/*.{yaml,conf,sh}',
    'k8s/**/*.{yaml,env}',
    '{libs,tools}/*/{src,bin}/**/*.{ts,mjs}',
  ],
  { cwd: inRepository(), exclude: (path) => /node_modules|tools\/drills|\.spec\.ts$/.test(path) },
);
/** Examples that no installation uses: alert tests with sample series, and manifests that operators copy. */
const examples = [
  'deploy/prometheus/tests/system.yaml',
  ...globSync('k8s/examples/**/*.yaml', { cwd: inRepository() }),
];

it('docs/develop/adding-a-service.md names the five files that list the services by hand', async () => {
  const generated = await Promise.all((['nats', 'kubernetes'] as const).map(generatedFiles));
  const apart = [...examples, ...generated.flatMap((written) => [...written.keys()])];
  const lists = files.filter((file) => {
    const text = readFileSync(inRepository(file), 'utf8');
    // Counts names of secrets and variables too, such as `OFFERINGS_…`.
    return services.every((service) => new RegExp(`(?<![a-z])${service}(?![a-z])`, 'i').test(text));
  });
  const byHand = lists.filter((file) => !apart.includes(file));
  expect(byHand.toSorted()).toEqual([
    'deploy/tls/compose.yaml',
    'docker-compose.yml',
    'k8s/base/kustomization.yaml',
    'libs/contracts/src/index.ts',
    'libs/system/src/settings/names.ts',
  ]);
  const page = readFileSync(inRepository('docs/develop/adding-a-service.md'), 'utf8');
  expect(byHand.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
