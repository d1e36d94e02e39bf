import { type Counter, type Histogram, metrics as api, type UpDownCounter } from '@opentelemetry/api';
import { durationBounds, type Metric, tracerName } from './names.ts';

/** Values for the declared attributes of a metric; another attribute is a compile error. */
export type Labels<M extends Metric> = Partial<Record<M['attributes'][number], string>>;
type Of<K extends Metric['kind']> = Metric & { readonly kind: K };

const meter = () => api.getMeter(tracerName);

// Instruments are created at first use, after `register` has started the SDK.
const made = new Map<string, Histogram | Counter | UpDownCounter>();

function once<I extends Histogram | Counter | UpDownCounter>(metric: Metric, make: () => I): I {
  const known = (made.get(metric.name) as I | undefined) ?? make();
  made.set(metric.name, known);
  return known;
}

/** Records the time since `since` (performance.now()) in a histogram. */
export function recordSince<M extends Of<'histogram'>>(metric: M, since: number, labels: Labels<M>): void {
  const { name, unit, description } = metric;
  const advice = { explicitBucketBoundaries: [...durationBounds] };
  const histogram = once(metric, () => meter().createHistogram(name, { unit, description, advice }));
  histogram.record((performance.now() - since) / 1000, labels);
}

/** Adds one to a counter. */
export function count<M extends Of<'counter'>>(metric: M, labels: Labels<M> = {}): void {
  const { name, unit, description } = metric;
  once(metric, () => meter().createCounter(name, { unit, description })).add(1, labels);
}

/** Changes the current value of an up-down counter; undo each +1 with a -1. */
export function add<M extends Of<'upDown'>>(metric: M, change: 1 | -1, labels: Labels<M>): void {
  const { name, unit, description } = metric;
  once(metric, () => meter().createUpDownCounter(name, { unit, description })).add(change, labels);
}

/**
 * Calls `read` at every export. Undefined or an error omits the point. Returns a function that stops the
 * calls.
 */
export function observe<M extends Of<'gauge'>>(
  metric: M,
  read: () => number | undefined | Promise<number | undefined>,
  labels: Labels<M> = {},
): () => void {
  const { name, unit, description } = metric;
  const gauge = meter().createObservableGauge(name, { unit, description });
  const callback: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    const value = await Promise.resolve()
      .then(read)
      .catch(() => undefined);
    if (value !== undefined) result.observe(value, labels);
  };
  gauge.addCallback(callback);
  return () => gauge.removeCallback(callback);
}

/**
 * Calls `read` once per export for the values of several gauges. Undefined or an error omits their points.
 * Returns a function that stops the calls.
 */
export function observeTogether<G extends Readonly<Record<string, Of<'gauge'>>>>(
  gauges: G,
  read: () => Promise<Readonly<Record<keyof G, number>> | undefined>,
  labels: Labels<G[keyof G]> = {},
): () => void {
  const owner = meter();
  const instruments = Object.entries(gauges).map(([key, { name, unit, description }]) => ({
    key: key as keyof G,
    gauge: owner.createObservableGauge(name, { unit, description }),
  }));
  const callback: Parameters<typeof owner.addBatchObservableCallback>[0] = async (result) => {
    const values = await Promise.resolve()
      .then(read)
      .catch(() => undefined);
    if (values) for (const { key, gauge } of instruments) result.observe(gauge, values[key], labels);
  };
  const observed = instruments.map(({ gauge }) => gauge);
  owner.addBatchObservableCallback(callback, observed);
  return () => owner.removeBatchObservableCallback(callback, observed);
}
