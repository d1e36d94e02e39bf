import { everyMetric, prometheusLabel, prometheusName } from '@stoa/telemetry';
import { code, page, table } from './reference-page.ts';

/** Generates docs/reference/metrics.md from the declarations of libs/telemetry. */
export const metricsPage = (): string =>
  page(
    'Metrics',
    'Declared in `libs/telemetry/src/names.ts`. In Prometheus `job` is the app and `instance` the process; a histogram has `_bucket`, `_sum` and `_count`. [Monitoring](../operate/monitoring.md) explains how to use them.',
    table(
      ['metric', 'in Prometheus', 'kind', 'labels', 'description'],
      everyMetric.map((metric) => [
        code(metric.name),
        code(prometheusName(metric)),
        metric.kind === 'upDown' ? 'gauge' : metric.kind,
        metric.attributes.map((attribute) => code(prometheusLabel(attribute))).join(' '),
        metric.description,
      ]),
    ),
  );
