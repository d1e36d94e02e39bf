import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { attributes } from './names.ts';
import { everyMetric, prometheusLabel, prometheusName } from './prometheus.ts';

const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => /^\| `[a-z_.0-9]+` /.test(line));
const cells = new Map(rows.map((row) => [/`([^`]+)`/.exec(row)?.[1], row]));

describe('docs/reference/metrics.md', () => {
  it.each(everyMetric)('documents $name as the code declares it', (metric) => {
    const row = cells.get(metric.name) ?? '';
    expect(row).toContain(`\`${prometheusName(metric)}\``);
    for (const attribute of metric.attributes) expect(row).toContain(`\`${prometheusLabel(attribute)}\``);
    expect(row).toContain(metric.description);
  });

  it('names no metric that the code does not have', () => {
    expect([...cells.keys()].toSorted()).toEqual(everyMetric.map(({ name }) => name).toSorted());
  });
});

it('prefixes our own names, so that they differ from the semantic conventions', () => {
  for (const name of Object.values(attributes)) expect(name).toMatch(/^stoa\.[a-z._]+$/);
});

it('allows no personal data in attributes of metrics', () => {
  const used = new Set(everyMetric.flatMap((metric) => metric.attributes));
  const many = ['url.path', 'url.full', 'url.query', 'client.address', 'user.id', 'db.query.text'];
  expect(many.filter((name) => used.has(name))).toEqual([]);
});
