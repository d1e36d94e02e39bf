import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { services } from '@stoa/system/settings/names';
import { globSync, readFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

/** Where lists of services may stand; generated files and tests follow by themselves. */
const files = globSync(
  [
    '*.{mjs,yml}',
    'Dockerfile',
    'deploy/**/*.{yaml,conf,sh}',
    'k8s/**/*.{yaml,env}',
    '{libs,tools}/*/{src,bin}/**/*.{ts,mjs}',
  ],
  { cwd: inRepository(), exclude: (path) => /node_modules|\.spec\.ts$/.test(path) },
);
/** Alerts are tried with made-up series of every app. */
const examples = ['deploy/prometheus/tests/system.yaml'];

it('docs/adding-a-service.md names every file that lists the services by hand, and there are five', async () => {
  const generated = await Promise.all((['nats', 'kubernetes'] as const).map(generatedFiles));
  const apart = [...examples, ...generated.flatMap((written) => [...written.keys()])];
  const lists = files.filter((file) => {
    const text = readFileSync(inRepository(file), 'utf8');
    // In names of secrets and variables too.
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
  const page = readFileSync(inRepository('docs/adding-a-service.md'), 'utf8');
  expect(byHand.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
