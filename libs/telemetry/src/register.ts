// Loaded by `node --import` before anything else, so that http, undici, pg and pino are instrumented when
// the application first imports them.
import { NodeSDK } from '@opentelemetry/sdk-node';
import { NoopSpanProcessor } from '@opentelemetry/sdk-trace';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { instrumentations } from './instrumentations.ts';
import { nameRoutes } from './routes.ts';
import { edgeSampler } from './sampler.ts';
import { started } from './sdk.ts';

const env = process.env;
const exporting = env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined;
env['OTEL_SERVICE_NAME'] ??= env['SERVICE_NAME'] ?? 'stoa';
env['OTEL_METRICS_EXPORTER'] ??= exporting ? 'otlp' : 'none';
env['OTEL_LOGS_EXPORTER'] ??= 'none';
// Baggage from a stranger's browser would travel through every service.
env['OTEL_PROPAGATORS'] ??= 'tracecontext';
// A statement is known by its beginning.
env['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'] ??= '1000';
// Not the process's: that one tells command lines and account names of the machine.
env['OTEL_NODE_RESOURCE_DETECTORS'] ??= 'env,host,serviceinstance';

const instrumented = instrumentations();
const sdk = new NodeSDK({
  // Without a collector spans are still made: every answer and log line carries a trace id.
  ...(exporting || env['OTEL_TRACES_EXPORTER'] ? {} : { spanProcessors: [new NoopSpanProcessor()] }),
  sampler: edgeSampler(env['OTEL_TRACES_SAMPLER'], env['OTEL_TRACES_SAMPLER_ARG']),
  instrumentations: [...instrumented],
});
sdk.start();
// Node's own modules are patched when somebody requires them; a process that only imports them would go untraced.
const require = createRequire(import.meta.url);
require('node:http');
require('node:https');
syncBuiltinESMExports();
nameRoutes();
started.flush = () => sdk.shutdown();
const [http] = instrumented;
started.httpVersion = http.instrumentationVersion;
