import { expect, it } from '@jest/globals';
import { inRepository } from '@stoa/system/paths';
import { services } from '@stoa/system/settings/names';
import { globSync, readFileSync } from 'node:fs';

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
const generated = ['deploy/nats/nats.conf'];
/** Alerts are tried with made-up series of every app. */
const examples = ['deploy/prometheus/tests/system.yaml'];

it('docs/adding-a-service.md names every file that lists the services', () => {
  const lists = files.filter((file) => {
    const text = readFileSync(inRepository(file), 'utf8');
    return services.every((service) => new RegExp(`\\b${service}\\b`).test(text));
  });
  const page = readFileSync(inRepository('docs/adding-a-service.md'), 'utf8');
  const byHand = lists.filter((file) => ![...generated, ...examples].includes(file));
  expect(byHand.length).toBeGreaterThan(5);
  expect(byHand.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
