import { metrics as api } from '@opentelemetry/api';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { observeTogether } from './instruments.ts';
import { metrics } from './names.ts';

class Reader extends MetricReader {
  protected async onForceFlush(): Promise<void> {}
  protected async onShutdown(): Promise<void> {}
}

const gauges = { rows: metrics.outboxRows, age: metrics.outboxAge };
let reader: Reader;
let provider: MeterProvider;

beforeEach(() => {
  reader = new Reader();
  provider = new MeterProvider({ readers: [reader] });
  api.setGlobalMeterProvider(provider);
});
afterEach(async () => {
  api.disable();
  await provider.shutdown();
});

/** The values that one export would contain, by metric. */
async function collected(): Promise<Record<string, unknown[]>> {
  const { resourceMetrics, errors } = await reader.collect();
  expect(errors).toEqual([]);
  const all = resourceMetrics.scopeMetrics.flatMap(({ metrics: found }) => found);
  return Object.fromEntries(
    all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.map(({ value }) => value)]),
  );
}

it('reads the values of all gauges once per export', async () => {
  const read = jest.fn(async () => ({ rows: 7, age: 1.5 }));
  observeTogether(gauges, read);
  expect(await collected()).toEqual({ 'stoa.outbox.rows': [7], 'stoa.outbox.age': [1.5] });
  expect(read).toHaveBeenCalledTimes(1);
  await collected();
  expect(read).toHaveBeenCalledTimes(2);
});

it('skips a failed reading, and retries at the next export', async () => {
  const read = jest.fn<() => Promise<{ rows: number; age: number } | undefined>>();
  observeTogether(gauges, read);
  read.mockRejectedValueOnce(new Error('the database is unavailable')).mockResolvedValueOnce(undefined);
  expect(Object.values(await collected()).flat()).toEqual([]);
  expect(Object.values(await collected()).flat()).toEqual([]);
  read.mockResolvedValueOnce({ rows: 0, age: 0 });
  expect(Object.values(await collected()).flat()).toEqual([0, 0]);
});

it('does not read after shutdown', async () => {
  const read = jest.fn(async () => ({ rows: 7, age: 1.5 }));
  observeTogether(gauges, read)();
  await collected();
  expect(read).not.toHaveBeenCalled();
});
