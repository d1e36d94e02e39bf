import { inRepository } from '@stoa/system';
import { everyMetric, prometheusName } from '@stoa/telemetry';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const partMetrics = inRepository('deploy/prometheus/part-metrics.yaml');

export const readPartMetrics = (): Record<string, string[]> =>
  parse(readFileSync(partMetrics, 'utf8')) as Record<string, string[]>;

/** All series of apps, parts and Prometheus itself. */
export const knownSeries = (): Set<string> =>
  new Set([
    'up',
    ...Object.values(readPartMetrics()).flat(),
    ...everyMetric.flatMap((metric) => {
      const name = prometheusName(metric);
      return metric.kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
    }),
  ]);

// Words that are no series: keywords, functions and aggregations of PromQL.
const keywords = new Set(
  'and or unless on ignoring by without group_left group_right offset bool sum min max avg count vector time rate increase absent absent_over_time histogram_quantile count_over_time min_over_time max_over_time last_over_time avg_over_time'.split(
    ' ',
  ),
);

/** The names of series in a query. */
export function seriesIn(query: string): string[] {
  const bare = query
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '$1')
    .replaceAll(/\boffset\s+\w+/g, '');
  const names = bare.match(/(?<![\w.])[a-zA-Z_:][\w:]*/g) ?? [];
  return [...new Set(names.filter((name) => !keywords.has(name)))];
}
