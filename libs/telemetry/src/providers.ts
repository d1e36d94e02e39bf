import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { getNumberFromEnv, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  type Resource,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  NoopSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { edgeSampler } from './sampler.ts';

/** The value of OTEL_TRACES_EXPORTER or OTEL_METRICS_EXPORTER, if set. */
type Chosen = string | undefined;

/**
 * Registers the providers that make, sample and export spans and metrics, configured by the standard
 * variables. The apps use OTLP as protobuf over HTTP and W3C trace context, so no other exporter or
 * propagator is installed. Returns a function that flushes and shuts down.
 */
export async function startProviders(env: NodeJS.ProcessEnv): Promise<() => Promise<void>> {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // No baggage: an external browser could send it through every service.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const exporting = env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined;
  const otlp = exporting ? 'otlp' : 'none';
  // No process detector: it would publish command lines and account names of the machine.
  const detected = detectResources({ detectors: [envDetector, hostDetector, serviceInstanceIdDetector] });
  const resource = defaultResource().merge(detected);

  const meters = meterProvider(resource, env['OTEL_METRICS_EXPORTER'] ?? otlp);
  if (meters) metrics.setGlobalMeterProvider(meters);
  const tracers = new TracerProvider({
    resource,
    sampler: edgeSampler(env['OTEL_TRACES_SAMPLER'], env['OTEL_TRACES_SAMPLER_ARG'], {
      reads: getNumberFromEnv('TRACED_READS_PER_SECOND') ?? 100,
      writes: getNumberFromEnv('TRACED_WRITES_PER_SECOND') ?? 100,
    }),
    // The beginning of a statement is enough to identify it.
    spanLimits: { attributeValueLengthLimit: getNumberFromEnv('OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT') ?? 1000 },
    spanProcessors: [await spanProcessor(env['OTEL_TRACES_EXPORTER'] ?? otlp)],
  });
  trace.setGlobalTracerProvider(tracers);
  return async () => {
    await Promise.all([tracers.shutdown(), meters?.shutdown()]);
  };
}

function meterProvider(resource: Resource, exporter: Chosen): MeterProvider | undefined {
  if (exporter !== 'otlp') return undefined;
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000,
    exportTimeoutMillis: getNumberFromEnv('OTEL_METRIC_EXPORT_TIMEOUT') ?? 30_000,
  });
  return new MeterProvider({ resource, readers: [reader] });
}

/** Without an exporter spans still exist: every answer and log line contains a trace id. */
async function spanProcessor(chosen: Chosen): Promise<SpanProcessor> {
  const exporter = await spanExporter(chosen);
  if (!exporter) return new NoopSpanProcessor();
  const limits = {
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  };
  const given = Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
  return new BatchSpanProcessor({ exporter, ...given });
}

async function spanExporter(chosen: Chosen): Promise<SpanExporter | undefined> {
  if (chosen === 'otlp') return new OTLPTraceExporter();
  // The viewer of `npm start -- --observe`; no other process loads it.
  if (chosen === 'zipkin') return new (await import('@opentelemetry/exporter-zipkin')).ZipkinExporter();
  return undefined;
}
