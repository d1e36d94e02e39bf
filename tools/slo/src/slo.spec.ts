import { inRepository } from '@stoa/system';
import { backupTime, retentionTime } from '@stoa/system/backup/time-metrics';
import { metrics } from '@stoa/telemetry';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { OpenSlo } from './open-slo.schema.ts';
import { knownSeries, readPartMetrics, seriesIn } from './metric-names.ts';
import { readJourneys, readOpenSlo } from './open-slo.ts';
import { queriesOfDashboards, queriesOfExamples } from './queries-in-use.ts';

interface Alert {
  alert?: string;
  record?: string;
  expr: string;
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

describe('the documents of deploy/slo', () => {
  const documents = readOpenSlo();
  const namesOf = (kind: OpenSlo['kind']) =>
    documents.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);

  it('reference documents that exist, and every SLO has every alert policy', () => {
    const targets = documents.flatMap((one) =>
      one.kind === 'AlertPolicy' ? one.spec.notificationTargets.map(({ targetRef }) => targetRef) : [],
    );
    expect([...new Set(targets)]).toEqual(namesOf('AlertNotificationTarget'));
    for (const { metadata, spec } of documents.filter((one) => one.kind === 'SLO')) {
      expect(namesOf('Service')).toContain(spec.service);
      expect(spec.alertPolicies.map(({ alertPolicyRef }) => alertPolicyRef)).toEqual(namesOf('AlertPolicy'));
      expect(existsSync(inRepository(`deploy/slo/${metadata.name}.yaml`))).toBe(true);
    }
    expect(new Set(namesOf('SLO')).size).toBe(7);
  });

  it.each([
    ['a kind of its own', { kind: 'Journey' }],
    ['a field of its own', { seconds: 1 }],
    ['another version', { apiVersion: 'openslo/v2' }],
  ])('are refused by the schema of OpenSLO v1 with %s', (_, change) => {
    const [document] = documents;
    expect(OpenSlo.safeParse(document).success).toBe(true);
    expect(OpenSlo.safeParse({ ...document, ...change }).success).toBe(false);
  });
});

describe('the journeys', () => {
  it('name routes that the gateway has', () => {
    const { paths } = read(inRepository('apps/gateway/openapi.json')) as { paths: Record<string, object> };
    // The OpenAPI document does not contain pages.
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

  it('each have a test in which they fire', () => {
    const { tests } = read(join(prometheus, 'tests', file)) as TestFile;
    const firing = tests
      .flatMap((test) => test.alert_rule_test)
      .filter(({ exp_alerts: expected }) => expected.length > 0);
    const tested = new Set(firing.map(({ alertname }) => alertname));
    expect(alerts.length).toBeGreaterThan(0);
    expect(alerts.filter(({ alert }) => !tested.has(alert))).toEqual([]);
  });

  it('each have a section in a runbook', () => {
    for (const { alert, annotations } of alerts) {
      const [page = '', anchor] = annotations.runbook.split('#');
      expect(anchor).toBe(alert.toLowerCase());
      expect(readFileSync(inRepository(page), 'utf8')).toContain(`\n## ${alert}\n`);
    }
  });
});

describe('the queries', () => {
  const rules = files.flatMap((file) =>
    (read(join(prometheus, 'rules', file)) as RuleFile).groups.flatMap((group) => group.rules),
  );
  const recorded = rules.flatMap(({ record }) => record ?? []);
  const known = new Set([...knownSeries(), ...recorded]);
  const unknownIn = (queries: readonly string[]) =>
    queries.flatMap(seriesIn).filter((name) => !known.has(name));

  it('of rules use only series of apps, parts and rules', () => {
    expect(unknownIn(rules.map(({ expr }) => expr))).toEqual([]);
  });

  it.each([...queriesOfDashboards()])('of the dashboard %s use only existing series', (_, queries) => {
    expect(queries.length).toBeGreaterThan(4);
    expect(unknownIn(queries)).toEqual([]);
  });

  it('of the examples of k8s/ use only existing series', () => {
    expect(queriesOfExamples().length).toBeGreaterThan(0);
    expect(unknownIn(queriesOfExamples())).toEqual([]);
  });

  it('use every listed series of the parts', () => {
    const used = new Set(
      [...rules.map(({ expr }) => expr), ...[...queriesOfDashboards().values()].flat()].flatMap(seriesIn),
    );
    expect(
      Object.values(readPartMetrics())
        .flat()
        .filter((name) => !used.has(name)),
    ).toEqual([]);
  });

  it.each([
    [
      'sum by (le, job) (rate(a_bucket{x="b_c{"}[5m] offset 1d)) / on (job) group_left (y) max(b) > 0.9',
      ['a_bucket', 'b'],
    ],
    ['absent(a{job="gateway"}) or (b_total unless b_total offset 1h) > 0 and time() > 1e3', ['a', 'b_total']],
    ['journey:errors:ratio_rate5m{journey="x"} > 0.1', ['journey:errors:ratio_rate5m']],
  ])('are read: %s', (query, names) => {
    expect(seriesIn(query)).toEqual(names);
  });
});

it('a backup reports with the metric names that alerts use', () => {
  expect(metrics.backupTime).toMatchObject(backupTime);
  expect(metrics.retentionTime).toMatchObject(retentionTime);
});
