// Loaded by `node --import` before anything else, so that http, undici, pg and pino are instrumented when
// the application first imports them.
import { FastifyOtelInstrumentation } from '@fastify/otel';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { NoopSpanProcessor } from '@opentelemetry/sdk-trace';
import { started } from './sdk.ts';

const exporting = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined;
process.env['OTEL_SERVICE_NAME'] ??= process.env['SERVICE_NAME'] ?? 'stoa';
process.env['OTEL_METRICS_EXPORTER'] ??= exporting ? 'otlp' : 'none';
process.env['OTEL_LOGS_EXPORTER'] ??= 'none';

const sdk = new NodeSDK({
  // Without a collector spans are still made: every answer and log line carries a trace id.
  ...(exporting ? {} : { spanProcessors: [new NoopSpanProcessor()] }),
  instrumentations: [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: (request) => request.url?.startsWith('/health/') ?? false,
    }),
    new FastifyOtelInstrumentation({ registerOnInitialization: true }),
    new UndiciInstrumentation(),
    new PgInstrumentation({ requireParentSpan: true }),
    new PinoInstrumentation(),
  ],
});
sdk.start();
started.flush = () => sdk.shutdown();
