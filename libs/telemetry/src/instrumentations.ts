import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { isHttpUnobserved, isIncomingUnobserved } from './unobserved-http.ts';

// Query strings can contain a delivery key or a search text; addresses and user agents identify the caller.
const redacted = {
  'url.query': undefined,
  'client.address': undefined,
  'network.peer.address': undefined,
  'network.peer.port': undefined,
  'user_agent.original': undefined,
};

const withoutQuery = (url: string) => url.split('?')[0];

/** The instrumentation of libraries, without personal data and keys. */
export function instrumentations() {
  return [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: (request) =>
        request.url?.startsWith('/health/') || isIncomingUnobserved(request),
      ignoreOutgoingRequestHook: isHttpUnobserved,
      startIncomingSpanHook: () => redacted,
      startOutgoingSpanHook: ({ protocol = 'http:', hostname, host, port, path = '/' }) => ({
        'url.full': `${protocol}//${hostname ?? host}${port ? `:${port}` : ''}${withoutQuery(path ?? '/')}`,
      }),
      // Background work is traced from its start (withTaskSpan), not call by call.
      requireParentforOutgoingSpans: true,
    }),
    new UndiciInstrumentation({
      requireParentforSpans: true,
      startSpanHook: ({ origin, path }) => ({ ...redacted, 'url.full': `${origin}${withoutQuery(path)}` }),
    }),
    // Statements contain placeholders; their values are omitted by default. The pool's metrics cover waits
    // for a connection, and a span for each wait would double the exported data.
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    new PinoInstrumentation({ disableLogSending: true }),
    // The default of 10 ms takes 0.34 % of a core in each idle process, 50 ms a third of that.
    new RuntimeNodeInstrumentation({ monitoringPrecision: 50 }),
  ] as const;
}
