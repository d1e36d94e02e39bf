import { libraryMetrics, type Metric, metrics } from './names.ts';

/** Every metric that dashboards, recording rules and alerts may use. */
export const everyMetric: readonly Metric[] = [...Object.values(metrics), ...Object.values(libraryMetrics)];

const units: Partial<Record<string, string>> = { s: 'seconds', '1': 'ratio' };

/**
 * The name of a metric in Prometheus, as its OTLP receiver translates it (`UnderscoreEscapingWithSuffixes`).
 * The series of a histogram have the suffixes `_bucket`, `_sum` and `_count`.
 */
export function prometheusName({ name, kind, unit }: Metric): string {
  const suffix = units[unit];
  return [underscored(name), ...(suffix ? [suffix] : []), ...(kind === 'counter' ? ['total'] : [])].join('_');
}

export const prometheusLabel = (attribute: string): string => underscored(attribute);

const underscored = (text: string) => text.replaceAll(/[^a-zA-Z0-9]+/g, '_');
