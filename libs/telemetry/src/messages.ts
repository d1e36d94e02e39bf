import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { attributes, tracerName } from './names.ts';

export type Carrier = Record<string, string>;

interface Operation {
  readonly service: string;
  readonly name: string;
  readonly subject: string;
}

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

/** Runs `work` in a client span and hands it the headers that carry the trace to the other side. */
export function asRequester<T>(operation: Operation, work: (headers: Carrier) => Promise<T>): Promise<T> {
  return inSpan(operation, SpanKind.CLIENT, context.active(), () => work(traceHeaders()));
}

/** Runs `work` as the answering side of a request, inside the trace that `headers` carry. */
export function asResponder<T>(operation: Operation, headers: Carrier, work: () => Promise<T>): Promise<T> {
  return inSpan(operation, SpanKind.SERVER, propagation.extract(ROOT_CONTEXT, headers), work);
}

/**
 * Runs `work` as the consumer of an event. It is a trace of its own, linked to the one that announced the
 * event: the effect may come minutes later and must not stretch the request's trace.
 */
export function asConsumer<T>(operation: Operation, headers: Carrier, work: () => Promise<T>): Promise<T> {
  const origin = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers));
  return inSpan(operation, SpanKind.CONSUMER, ROOT_CONTEXT, work, origin);
}

function inSpan<T>(
  operation: Operation,
  kind: SpanKind,
  parent: Context,
  work: () => Promise<T>,
  link?: ReturnType<typeof trace.getSpanContext>,
): Promise<T> {
  const options = {
    kind,
    links: link ? [{ context: link }] : [],
    attributes: {
      'messaging.system': 'nats',
      'messaging.destination.name': operation.subject,
      [attributes.service]: operation.service,
      [attributes.operation]: operation.name,
    },
  };
  return trace.getTracer(tracerName).startActiveSpan(operation.subject, options, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
