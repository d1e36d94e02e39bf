/** Copies of the metrics that libs/telemetry declares: a backup must run without built libraries. */
export const backupTime = {
  name: 'stoa.backup.time',
  unit: 's',
  description: 'Moment of the data in the newest backup, in seconds since 1970; each backup reports it once.',
} as const;

export const retentionTime = {
  name: 'stoa.backup.retention.time',
  unit: 's',
  description:
    'When a backup last removed old backups, in seconds since 1970; reported by each backup that did.',
} as const;

export type TimeMetric = typeof backupTime | typeof retentionTime;

const answerMs = 10_000;

/**
 * Sends one of these times to an OpenTelemetry collector (OTLP over HTTP, given its base address).
 *
 * @throws Error if the collector does not accept it within 10 s.
 */
export async function reportTime(collector: string, metric: TimeMetric, at: Date): Promise<void> {
  const seconds = at.getTime() / 1000;
  const dataPoints = [{ timeUnixNano: `${Date.now()}000000`, asDouble: seconds }];
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'backup' } }] };
  const metrics = [{ ...metric, gauge: { dataPoints } }];
  const body = { resourceMetrics: [{ resource, scopeMetrics: [{ scope: { name: 'backup' }, metrics }] }] };
  const answer = await fetch(`${collector.replace(/\/$/, '')}/v1/metrics`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerMs),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${collector} answered ${answer.status}`);
}
