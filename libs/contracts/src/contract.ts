import type { z } from 'zod';

type Schema = z.ZodType;

/** What is told beside a document: a field of it, or what `of` makes of it. */
export type Label = string | { readonly name: string; of(document: unknown): string };

/**
 * What asking more than once does. `safe`: it only reads, and may be asked of two replicas at a time. `idempotent`: it writes, and
 * twice leaves what once would, mostly since its service knows it again, by an id in its input or by the request's own; so it is
 * asked again once a replica is lost that had it. `at-most-once`: a write of which nobody would know whether it was done.
 */
export type Semantics = 'safe' | 'idempotent' | 'at-most-once';

/** One question a service answers: parsed `input` in, parsed `output` back. */
export interface Request<In extends Schema = Schema, Out extends Schema = Schema> {
  readonly kind: 'request';
  readonly service: string;
  readonly name: string;
  /** NATS subject, `rpc.<service>.<name>`. */
  readonly subject: string;
  /** Who may ask, by their names on the bus. */
  readonly askers: readonly string[];
  readonly semantics: Semantics;
  /** Whether it waits for more than the service's database: it takes no place from those that do not. */
  readonly isSlow: boolean;
  /**
   * Of an answer that is handed on as the bytes which its service made, what is told beside it: of itself, or of each of its
   * `items` where it has nothing else. Absent for an answer that is read.
   */
  readonly labels?: readonly Label[] | undefined;
  readonly input: In;
  readonly output: Out;
}

/** One fact a service announces, carried by JetStream at least once. */
export interface Event<Facts extends Schema = Schema> {
  readonly kind: 'event';
  readonly service: string;
  readonly name: string;
  /** NATS subject, `<stream>.<service>.<name>` in lower case. */
  readonly subject: string;
  /** The stream that carries it. */
  readonly stream: Stream;
  readonly facts: Facts;
}

/** What is counted has a stream apart: a flood of visitors must not push out or hold up what accounts do. */
export type Stream = 'EVENTS' | 'VISITS';

/** What set-up notes at a consumer: the subjects that the release follows that was set up last, and the one before it. */
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

/** Declares a request of the gateway's, unless others ask; `contract()` gives it its service, name and subject. */
export function request<In extends Schema, Out extends Schema>({
  askers = ['gateway'],
  semantics = 'at-most-once',
  slow: isSlow = false,
  ...schemas
}: {
  input: In;
  output: Out;
  askers?: readonly string[];
  semantics?: Semantics;
  slow?: boolean;
  labels?: readonly Label[];
}): Unnamed<Request<In, Out>> {
  return { kind: 'request', askers, semantics, isSlow, ...schemas };
}

/** Declares an event; `contract()` gives it its service, name and subject. */
export function event<F extends Schema>(facts: F, stream: Stream = 'EVENTS'): Unnamed<Event<F>> {
  return { kind: 'event', facts, stream };
}

/**
 * Everything one service says. Subjects are derived from the names, and requests and events live under
 * separate roots so that a stream on `events.>` can never swallow a request.
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
