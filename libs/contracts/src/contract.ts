import type { z } from 'zod';

type Schema = z.ZodType;

/**
 * What the client may do with a request whose answer is missing. `safe`: it only reads; the client may send it to two
 * replicas concurrently. `idempotent`: a repeat changes nothing. Most services recognize it by an id in the input or by
 * the request's id. `at-most-once`: a write whose repeat has a further effect. The bus repeats neither kind of write; the browser
 * repeats it under the same idempotency key.
 */
export type RetrySemantics = 'safe' | 'idempotent' | 'at-most-once';

/** A request that a service answers. Both sides validate `input` and `output`. */
export interface Request<In extends Schema = Schema, Out extends Schema = Schema> {
  readonly kind: 'request';
  readonly service: string;
  readonly name: string;
  /** NATS subject, `rpc.<service>.<name>`. */
  readonly subject: string;
  /** The processes that may send it, by their NATS user names. */
  readonly callers: readonly string[];
  readonly semantics: RetrySemantics;
  /** Whether it waits for more than the service's database. Slow requests have a bulkhead of their own. */
  readonly isSlow: boolean;
  readonly input: In;
  readonly output: Out;
}

/** A past fact that a service publishes on JetStream, delivered at least once. */
export interface Event<Facts extends Schema = Schema> {
  readonly kind: 'event';
  readonly service: string;
  readonly name: string;
  /** NATS subject, `<stream>.<service>.<name>` in lower case. */
  readonly subject: string;
  readonly stream: Stream;
  readonly facts: Facts;
}

/** Visits have a separate stream: many visits must neither evict nor delay the events of accounts. */
export type Stream = 'EVENTS' | 'VISITS';

/** Keys of a consumer's metadata: the subjects that the release set up last follows, and those of the previous release. */
export const consumerMetadata = { followed: 'stoa.followed', former: 'stoa.former' } as const;

export type Input<R extends Request> = z.infer<R['input']>;
export type Output<R extends Request> = z.infer<R['output']>;
export type Facts<E extends Event> = z.infer<E['facts']>;

type Unnamed<T> = Omit<T, 'service' | 'name' | 'subject'>;
type Named<T> =
  T extends Unnamed<Request<infer In, infer Out>>
    ? Request<In, Out>
    : T extends Unnamed<Event<infer F>>
      ? Event<F>
      : never;

/** Declares a request, by default one that only the gateway sends. `contract()` adds its service, name and subject. */
export function request<In extends Schema, Out extends Schema>({
  callers = ['gateway'],
  semantics = 'at-most-once',
  slow: isSlow = false,
  ...schemas
}: {
  input: In;
  output: Out;
  callers?: readonly string[];
  semantics?: RetrySemantics;
  slow?: boolean;
}): Unnamed<Request<In, Out>> {
  return { kind: 'request', callers, semantics, isSlow, ...schemas };
}

/** Declares an event. `contract()` adds its service, name and subject. */
export function event<F extends Schema>(facts: F, stream: Stream = 'EVENTS'): Unnamed<Event<F>> {
  return { kind: 'event', facts, stream };
}

/**
 * The requests and events of one service, with subjects derived from the names. Requests and events have separate
 * roots, so that a stream on `events.>` never captures a request.
 */
export function contract<const T extends Record<string, Unnamed<Request> | Unnamed<Event>>>(
  service: string,
  operations: T,
): { readonly [K in keyof T]: Named<T[K]> } {
  const named = Object.entries(operations).map(([name, operation]) => {
    const root = operation.kind === 'request' ? 'rpc' : operation.stream.toLowerCase();
    return [name, { ...operation, service, name, subject: `${root}.${service}.${name}` }];
  });
  return Object.fromEntries(named);
}
