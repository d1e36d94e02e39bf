import { inRepository } from '@stoa/system';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readJourneys } from './journey.ts';

interface Alert {
  alert?: string;
  annotations?: { runbook: string };
}

interface RuleFile {
  groups: { rules: Alert[] }[];
}

interface TestFile {
  tests: { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }[];
}

const prometheus = inRepository('deploy/prometheus');
const files = readdirSync(join(prometheus, 'rules'));
const read = (path: string) => parse(readFileSync(path, 'utf8')) as unknown;
const alertsOf = (file: string) =>
  (read(join(prometheus, 'rules', file)) as RuleFile).groups
    .flatMap(({ rules }) => rules)
    .filter((rule): rule is Required<Alert> => rule.alert !== undefined);

describe('the journeys', () => {
  it('name requests that the gateway answers', () => {
    const { paths } = read(inRepository('apps/gateway/openapi.json')) as { paths: Record<string, object> };
    // Pages are no part of the API's description.
    const isPage = (route: string) => !route.startsWith('/api/');
    const unknown = readJourneys().flatMap(({ routes, methods }) =>
      routes.filter((route) => {
        const known = Object.keys(paths[route.replaceAll(/:(\w+)/g, '{$1}')] ?? {});
        return !isPage(route) && !methods.some((method) => known.includes(method.toLowerCase()));
      }),
    );
    expect(unknown).toEqual([]);
  });
});

describe.each(files)('the alerts of %s', (file) => {
  const alerts = alertsOf(file);

  it('are each tested, firing', () => {
    const { tests } = read(join(prometheus, 'tests', file)) as TestFile;
    const firing = tests
      .flatMap((test) => test.alert_rule_test)
      .filter(({ exp_alerts: expected }) => expected.length > 0);
    const tested = new Set(firing.map(({ alertname }) => alertname));
    expect(alerts.length).toBeGreaterThan(0);
    expect(alerts.filter(({ alert }) => !tested.has(alert))).toEqual([]);
  });

  it('each have their place in a runbook', () => {
    for (const { alert, annotations } of alerts) {
      const [page = '', anchor] = annotations.runbook.split('#');
      expect(anchor).toBe(alert.toLowerCase());
      expect(readFileSync(inRepository(page), 'utf8')).toContain(`\n## ${alert}\n`);
    }
  });
});
