/** As libs/telemetry declares it for whoever reads metrics; nothing built is needed to back up. */
export const backupTime = {
  name: 'stoa.backup.time',
  unit: 's',
  description:
    'When everything was as the newest backup has it, in seconds since 1970; told once by each backup.',
} as const;

const answerMs = 10_000;

/**
 * Tells an OpenTelemetry collector (OTLP over HTTP, at its base address) of which moment the newest backup is.
 *
 * @throws Error where the collector does not take it within 10 s.
 */
export async function tellBackupTime(collector: string, at: Date): Promise<void> {
  const seconds = at.getTime() / 1000;
  const dataPoints = [{ timeUnixNano: `${Date.now()}000000`, asDouble: seconds }];
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'backup' } }] };
  const metrics = [{ ...backupTime, gauge: { dataPoints } }];
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
