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
import { noteChildSpan } from './child-spans.ts';
import { recordSince } from './instruments.ts';
import { attributes, metrics, tracerName } from './names.ts';

export type Carrier = Record<string, string>;

interface Operation {
  readonly service: string;
  readonly name: string;
  readonly subject: string;
}

/** How a request ended: `ok` or the code of a refusal, and the unexpected error. */
export interface Outcome {
  readonly code: string;
  readonly cause?: unknown;
}

// Other refusals are answers like any: the caller asked for something that cannot be.
const faults: ReadonlySet<string> = new Set(['internal', 'unavailable', 'timeout']);

/** The trace headers of the current span, to travel with a message or to rest in an outbox row. */
export function traceHeaders(): Carrier {
  const carrier: Carrier = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** The id of the trace that is running, or undefined outside one. */
export function currentTraceId(): string | undefined {
  return trace.getSpanContext(context.active())?.traceId;
}

/**
 * Runs `work` in a client span and hands it the headers that carry the trace to the other side. `codeOf` says
 * what an error that `work` throws is called.
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

/** Runs `work` as the answering side of a request, inside the trace that `headers` carry. */
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

/** Runs `work` as the moment in which a recorded event leaves, within the trace that recorded it. */
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
 * Runs `work` as the consumer of an event. It is a trace of its own, linked to the one that announced the
 * event: the effect may come minutes later and must not stretch the request's trace.
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

/** Runs work that nobody waits for in a trace of its own, linked to the one that asked for it, if any did. */
export function withTaskSpan<T>(name: string, headers: Carrier, work: () => Promise<T>): Promise<T> {
  return inSpan(name, linked({}, headers), ROOT_CONTEXT, () => work());
}

/** Runs a call to a system that no library traces, such as a mail server. */
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

/** Writes down how a call ended, and answers the labels of its duration. */
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
  noteChildSpan(parent);
  return trace.getTracer(tracerName).startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // A refusal that the caller already named is no surprise; withRequestSpan has said what it was.
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

/** The kind of an error and where it came from, without its message: that may quote what somebody typed. */
function noteCause(span: Span, cause: unknown): void {
  const { name, stack = '' } = cause instanceof Error ? cause : new Error('not an error');
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  span.addEvent('exception', { 'exception.type': name, 'exception.stacktrace': frames.join('\n') });
}
