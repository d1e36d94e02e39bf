import {
  type Attributes,
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { recordSince } from './instruments.ts';
import { attributes, metrics, tracerName } from './names.ts';

export type Carrier = Record<string, string>;

interface Operation {
  readonly service: string;
  readonly name: string;
  readonly subject: string;
}

/** The result of a request: `ok` or the code of a refusal, and the unexpected error if there was one. */
export interface Outcome {
  readonly code: string;
  readonly cause?: unknown;
}

// Other refusals are ordinary answers to a wrong request.
const faults: ReadonlySet<string> = new Set(['internal', 'unavailable', 'timeout']);

/** The trace headers of the current span, for a message or an outbox row. */
export function traceHeaders(): Carrier {
  const carrier: Carrier = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** The id of the current trace; undefined outside of one. */
export function currentTraceId(): string | undefined {
  return trace.getSpanContext(context.active())?.traceId;
}

/**
 * Runs `work` in a client span and passes it the headers that carry the trace to the responder. `codeOf`
 * returns the code of an error that `work` throws.
 */
export function withRequestSpan<T>(
  operation: Operation,
  work: (headers: Carrier) => Promise<T>,
  codeOf: (error: unknown) => string,
): Promise<T> {
  return inSpan(
    methodOf(operation),
    rpcOptions(operation, SpanKind.CLIENT),
    context.active(),
    async (span) => {
      const since = performance.now();
      let code = 'ok';
      try {
        return await work(traceHeaders());
      } catch (error) {
        code = codeOf(error);
        throw error;
      } finally {
        recordSince(metrics.rpcClientDuration, since, endCall(span, operation, { code }));
      }
    },
  );
}

/** Runs `work` as the responder of a request, inside the trace of `headers`. */
export function withResponseSpan(
  operation: Operation,
  headers: Carrier,
  work: () => Promise<Outcome>,
): Promise<void> {
  const parent = propagation.extract(ROOT_CONTEXT, headers);
  return inSpan(methodOf(operation), rpcOptions(operation, SpanKind.SERVER), parent, async (span) => {
    const since = performance.now();
    const outcome = await work();
    recordSince(metrics.rpcServerDuration, since, endCall(span, operation, outcome));
  });
}

/** Runs `work` as the publication of a recorded event, within the trace that recorded it. */
export function withPublishSpan(
  subject: string,
  recorded: Carrier,
  work: (headers: Carrier) => Promise<void>,
): Promise<void> {
  const labels = messageLabels('publish', subject);
  const options = { kind: SpanKind.PRODUCER, attributes: { ...labels, 'messaging.operation.type': 'send' } };
  const parent = propagation.extract(ROOT_CONTEXT, recorded);
  return inSpan(`publish ${subject}`, options, parent, (span) =>
    measured(
      span,
      () => work(traceHeaders()),
      labels,
      (since, ended) => recordSince(metrics.publishDuration, since, ended),
    ),
  );
}

/**
 * Runs `work` as the consumer of an event, in a trace of its own that is linked to the publisher's. The
 * consumer may run minutes later and must not extend the request's trace.
 */
export function withConsumeSpan(
  { subject, group, id }: { subject: string; group: string; id: string },
  headers: Carrier,
  work: () => Promise<void>,
): Promise<void> {
  const labels = { ...messageLabels('process', subject), 'messaging.consumer.group.name': group };
  const named = { ...labels, 'messaging.operation.type': 'process', 'messaging.message.id': id };
  const options = linked({ kind: SpanKind.CONSUMER, attributes: named }, headers);
  return inSpan(`process ${subject}`, options, ROOT_CONTEXT, (span) =>
    measured(span, work, labels, (since, ended) => recordSince(metrics.processDuration, since, ended)),
  );
}

/** Runs background work in a trace of its own, linked to the trace of `headers` if they contain one. */
export function withTaskSpan<T>(name: string, headers: Carrier, work: () => Promise<T>): Promise<T> {
  return inSpan(name, linked({}, headers), ROOT_CONTEXT, () => work());
}

/** Runs a call to a system without instrumentation, such as a mail server. */
export function withClientSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active(), () => work());
}

const methodOf = ({ service, name }: Operation) => `${service}/${name}`;

const rpcOptions = (operation: Operation, kind: SpanKind): SpanOptions => ({
  kind,
  attributes: {
    'rpc.system.name': 'nats',
    'rpc.method': methodOf(operation),
    'messaging.destination.name': operation.subject,
  },
});

const messageLabels = (operation: 'publish' | 'process', subject: string) => ({
  'messaging.system': 'nats',
  'messaging.operation.name': operation,
  'messaging.destination.name': subject,
});

function linked(options: SpanOptions, headers: Carrier): SpanOptions {
  const origin = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers));
  if (!origin) return options;
  const named = { ...options.attributes, [attributes.originTraceId]: origin.traceId };
  return { ...options, attributes: named, links: [{ context: origin }] };
}

/** Sets the result of a call on its span and returns the attributes of its duration. */
function endCall(span: Span, operation: Operation, { code, cause }: Outcome) {
  const ended = {
    'rpc.response.status_code': code,
    ...(faults.has(code) ? { 'error.type': code } : {}),
  };
  span.setAttributes(ended);
  if (faults.has(code)) span.setStatus({ code: SpanStatusCode.ERROR });
  if (cause !== undefined) noteCause(span, cause);
  return { 'rpc.system.name': 'nats', 'rpc.method': methodOf(operation), ...ended };
}

async function measured<L extends Carrier>(
  span: Span,
  work: () => Promise<void>,
  labels: L,
  record: (since: number, ended: L & { 'error.type'?: string }) => void,
): Promise<void> {
  const since = performance.now();
  try {
    await work();
    record(since, labels);
  } catch (error) {
    const type = error instanceof Error ? error.name : 'Error';
    span.setAttribute('error.type', type);
    record(since, { ...labels, 'error.type': type });
    throw error;
  }
}

function inSpan<T>(
  name: string,
  options: SpanOptions,
  parent: Context,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return trace.getTracer(tracerName).startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // Skips requests: `withRequestSpan` has already recorded their outcome, and a refusal is no error.
      if (options.kind !== SpanKind.CLIENT || !options.attributes?.['rpc.method']) {
        span.setStatus({ code: SpanStatusCode.ERROR });
        noteCause(span, error);
      }
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Records the kind and stack of an error without its message: the message may quote input of a user. */
function noteCause(span: Span, cause: unknown): void {
  const { name, stack = '' } = cause instanceof Error ? cause : new Error('not an error');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  span.addEvent('exception', { 'exception.type': name, 'exception.stacktrace': frames.join('\n') });
}
