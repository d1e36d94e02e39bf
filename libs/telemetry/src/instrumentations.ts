import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { RuntimeNodeInstrumentation } from '@opentelemetry/instrumentation-runtime-node';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { isHttpUnobserved } from './unobserved-http.ts';

// Query strings may hold a delivery key or what somebody searches for; addresses and browsers tell who asks.
const redacted = {
  'url.query': undefined,
  'client.address': undefined,
  'network.peer.address': undefined,
  'network.peer.port': undefined,
  'user_agent.original': undefined,
};

const withoutQuery = (url: string) => url.split('?')[0];

/** The libraries that are traced and measured, without personal data and keys. */
export function instrumentations() {
  return [
    new HttpInstrumentation({
      ignoreIncomingRequestHook: (request) => request.url?.startsWith('/health/') ?? false,
      ignoreOutgoingRequestHook: isHttpUnobserved,
      startIncomingSpanHook: () => redacted,
      startOutgoingSpanHook: ({ protocol = 'http:', hostname, host, port, path = '/' }) => ({
        'url.full': `${protocol}//${hostname ?? host}${port ? `:${port}` : ''}${withoutQuery(path ?? '/')}`,
      }),
      // What runs in the background is traced where it begins (withTaskSpan), not call by call.
      requireParentforOutgoingSpans: true,
    }),
    new UndiciInstrumentation({
      requireParentforSpans: true,
      startSpanHook: ({ origin, path }) => ({ ...redacted, 'url.full': `${origin}${withoutQuery(path)}` }),
    }),
    // Statements carry placeholders; what they are given is left out, which is the default.
    // What a pool waits for is in its metrics; a span of it beside that of each statement doubles what is exported.
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true }),
    new PinoInstrumentation({ disableLogSending: true }),
    new RuntimeNodeInstrumentation(),
  ] as const;
}
