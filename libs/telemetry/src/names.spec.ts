import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { attributes } from './names.ts';
import { everyMetric, prometheusLabel, prometheusName } from './prometheus.ts';

const page = readFileSync(new URL('../../../docs/telemetry.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => /^\| `[a-z_.0-9]+` /.test(line));
const cells = new Map(rows.map((row) => [/`([^`]+)`/.exec(row)?.[1], row]));

describe('docs/telemetry.md', () => {
  it.each(everyMetric)('says of $name what the code says', (metric) => {
    const row = cells.get(metric.name) ?? '';
    expect(row).toContain(`\`${prometheusName(metric)}\``);
    for (const attribute of metric.attributes) expect(row).toContain(`\`${prometheusLabel(attribute)}\``);
    expect(row).toContain(metric.description);
  });

  it('names no metric that the code does not have', () => {
    expect([...cells.keys()].toSorted()).toEqual(everyMetric.map(({ name }) => name).toSorted());
  });
});

it('keeps names of our own apart from those of the conventions', () => {
  for (const name of Object.values(attributes)) expect(name).toMatch(/^stoa\.[a-z._]+$/);
});

it('lets no attribute of a metric name a person or an address', () => {
  const used = new Set(everyMetric.flatMap((metric) => metric.attributes));
  const many = ['url.path', 'url.full', 'url.query', 'client.address', 'user.id', 'db.query.text'];
  expect(many.filter((name) => used.has(name))).toEqual([]);
});
