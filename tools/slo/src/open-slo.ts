import { inRepository } from '@stoa/system';
import { durationBounds } from '@stoa/telemetry';
import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import type { z } from 'zod';
import type { Burn } from './burn.ts';
import type { Journey } from './journey.ts';
import { type AlertPolicy, OpenSlo, type Slo } from './open-slo.schema.ts';
import { good, total } from './queries.ts';

export function readOpenSlo(folder = inRepository('deploy/slo')): OpenSlo[] {
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => parseAllDocuments(readFileSync(`${folder}/${file}`, 'utf8')))
    .map((document) => OpenSlo.parse(document.toJS()));
}

export const readJourneys = (): Journey[] =>
  readOpenSlo().flatMap((one) => (one.kind === 'SLO' ? journey(one) : []));

export const readBurns = (): Burn[] =>
  readOpenSlo().flatMap((one) => (one.kind === 'AlertPolicy' ? burn(one) : []));

const parts = /http_request_method=~"([A-Z|]+)",http_route=~"([^"]+)",.*,le=~"([\d.]+)/;

function journey({ metadata, spec }: z.infer<typeof Slo>): Journey {
  const { good: goodEvents, total: allEvents } = spec.indicator.spec.ratioMetric;
  const queries = [goodEvents, allEvents].map(({ metricSource }) => metricSource.spec.query);
  const [, methods = '', routes = '', seconds = ''] = parts.exec(queries[0] ?? '') ?? [];
  const found = {
    name: metadata.name,
    title: metadata.displayName ?? metadata.name,
    promise: spec.description,
    objective: Number((spec.objectives[0].target * 100).toPrecision(6)),
    seconds: Number(seconds),
    methods: methods.split('|'),
    routes: routes.split('|'),
  };
  // Refuses any other query, because rules, answer times and tests are derived from its parts.
  if (
    queries[0] !== good(found) ||
    queries[1] !== total(found) ||
    !durationBounds.some((bound) => bound === found.seconds)
  )
    throw new Error(
      `deploy/slo/${found.name}.yaml uses other series than ${good(found)} of ${total(found)}.`,
    );
  return found;
}

function burn({ metadata, spec }: z.infer<typeof AlertPolicy>): Burn {
  const { severity, condition } = spec.conditions[0].spec;
  const short = metadata.annotations?.['stoa/short-window'];
  if (!short) throw new Error(`The alert policy ${metadata.name} lacks its short window.`);
  return {
    suffix: metadata.name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    factor: condition.threshold,
    long: condition.lookbackWindow,
    short,
    wait: condition.alertAfter,
    severity,
    means: spec.description,
  };
}
