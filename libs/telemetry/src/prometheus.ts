import { libraryMetrics, type Metric, metrics } from './names.ts';

/** Everything that dashboards, recording rules and alerts may ask for. */
export const everyMetric: readonly Metric[] = [...Object.values(metrics), ...Object.values(libraryMetrics)];

const units: Partial<Record<string, string>> = { s: 'seconds', '1': 'ratio' };

/**
 * The name of a metric in Prometheus, as its OTLP receiver translates it (`UnderscoreEscapingWithSuffixes`). A
 * histogram's series add `_bucket`, `_sum` and `_count`.
 */
export function prometheusName({ name, kind, unit }: Metric): string {
  const suffix = units[unit];
  return [underscored(name), ...(suffix ? [suffix] : []), ...(kind === 'counter' ? ['total'] : [])].join('_');
}

/** The label that an attribute becomes in Prometheus. */
export const prometheusLabel = (attribute: string): string => underscored(attribute);

const underscored = (text: string) => text.replaceAll(/[^a-zA-Z0-9]+/g, '_');
