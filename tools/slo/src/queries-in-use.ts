import { inRepository } from '@stoa/system';
import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

const dashboards = 'deploy/grafana/dashboards';

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

export const queriesOfDashboards = (): Map<string, string[]> =>
  new Map(
    readdirSync(inRepository(dashboards))
      .filter((file) => file.endsWith('.json'))
      .map((file) => JSON.parse(readFileSync(inRepository(dashboards, file), 'utf8')) as Dashboard)
      .map(({ title, panels }) => [
        title,
        panels.flatMap(({ targets = [] }) => targets).map(({ expr }) => expr),
      ]),
  );

interface ScaledObject {
  readonly spec: { readonly triggers: readonly { readonly metadata: { readonly query: string } }[] };
}

export const queriesOfExamples = (): string[] =>
  parseAllDocuments(readFileSync(inRepository('k8s/examples/keda/scaled-objects.yaml'), 'utf8'))
    .map((document) => document.toJS() as ScaledObject)
    .flatMap(({ spec }) => spec.triggers.map(({ metadata }) => metadata.query));
