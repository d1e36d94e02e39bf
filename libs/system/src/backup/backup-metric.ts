/** As libs/telemetry declares it for whoever reads metrics; nothing built is needed to back up. */
export const backupTime = {
  name: 'stoa.backup.time',
  unit: 's',
  description: 'When all was as the newest backup has it, in seconds since 1970; told once by each backup.',
} as const;

/** Likewise. */
export const retentionTime = {
  name: 'stoa.backup.retention.time',
  unit: 's',
  description: 'When a backup last removed what was to go, in seconds since 1970; told by each that did.',
} as const;

export type TimeMetric = typeof backupTime | typeof retentionTime;

const answerMs = 10_000;

/**
 * Tells an OpenTelemetry collector (OTLP over HTTP, at its base address) one of these times.
 *
 * @throws Error where the collector does not take it within 10 s.
 */
export async function tellTime(collector: string, metric: TimeMetric, at: Date): Promise<void> {
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
