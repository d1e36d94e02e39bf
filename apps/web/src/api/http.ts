import type { FieldError, Problem, ProblemCode } from '@stoa/contracts';
import { newTrace } from './trace.ts';

/**
 * Why a call was refused. Two are the browser's own: `unreachable`, no answer came at all; `late`, none within the
 * time that a call may take. After that long a wait the user decides about another attempt.
 */
export type Reason = ProblemCode | 'unreachable' | 'late';

export class ApiError extends Error {
  readonly reason: Reason;
  readonly fields: readonly FieldError[];
  readonly traceId: string | undefined;
  /** Seconds after which another try may succeed, where the server knows. */
  retryAfter: number | undefined;

  constructor(reason: Reason, message: string, problem?: Partial<Problem>, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApiError';
    this.reason = reason;
    this.fields = problem?.errors ?? [];
    this.traceId = problem?.traceId;
  }
}

const permanent: ReadonlySet<Reason> = new Set(['forbidden', 'not_found', 'invalid_input']);

/** Whether asking the same again would get the same answer. */
export function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && permanent.has(error.reason);
}

const transient: ReadonlySet<Reason> = new Set(['internal', 'unavailable', 'timeout', 'unreachable']);

/** Whether the failure is ours or the network's, and asking the same in a moment may go well. */
export function isTransient(error: unknown): error is ApiError {
  return error instanceof ApiError && transient.has(error.reason);
}

/** Who speaks for the signed-in user; `auth/` provides it. */
export interface TokenSource {
  token(): Promise<string | undefined>;
  /** A new token after the old one was refused; undefined when the session is over. */
  renew(): Promise<string | undefined>;
}

/** A connection that is dead says nothing. The gateway itself answers in a third of this. */
const longestCallMs = 15_000;

let tokens: TokenSource | undefined;

export function setTokenSource(source: TokenSource | undefined): void {
  tokens = source;
}

const ages = new WeakMap<object, number>();

/** How old `answer` was when it came, as it is while the service behind it is away. */
export function ageMsOf(answer: unknown): number {
  return (typeof answer === 'object' && answer !== null && ages.get(answer)) || 0;
}

export interface CallOptions {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Calls on behalf of the signed-in user carry their token; public ones stay cacheable without it. */
  signedIn?: boolean;
  /** For a call whose answer takes longer than any other's. */
  longestMs?: number;
}

export function get<T>(path: string, options: CallOptions = {}): Promise<T> {
  return call<T>('GET', path, options);
}

export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const { response, body } = await exchange(method, path, options, readJson);
  const age = Number(response.headers.get('age'));
  if (age > 0 && typeof body === 'object' && body !== null) ages.set(body, age * 1000);
  return body as T;
}

/** One call, whose answer `read` takes in: a body that stalls or breaks off is a failure like any other. */
export async function exchange<B>(
  method: string,
  path: string,
  options: CallOptions,
  read: (response: Response) => Promise<B>,
): Promise<Exchange<B>> {
  // The token may be as long in coming as the answer.
  const late = AbortSignal.timeout(options.longestMs ?? longestCallMs);
  const token = options.signedIn ? await tokens?.token() : undefined;
  let outcome = await send(method, path, options, token, late, read);
  if (outcome.response.status === 401 && options.signedIn) {
    const renewed = await tokens?.renew();
    if (renewed) outcome = await send(method, path, options, renewed, late, read);
  }
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome;
}

interface Exchange<B> {
  response: Response;
  body: B;
}

/** What an answer of the API holds. */
export async function readJson(response: Response): Promise<unknown> {
  // 204 has no body, and 202 none where there is nothing to say yet.
  const text = await response.text();
  return text ? JSON.parse(text) : undefined;
}

async function send<B>(
  method: string,
  path: string,
  options: CallOptions,
  token: string | undefined,
  late: AbortSignal,
  read: (response: Response) => Promise<B>,
): Promise<Exchange<B> | { response: Response; refusal: ApiError }> {
  const trace = newTrace();
  const headers = new Headers({
    accept: 'application/json',
    ...options.headers,
    traceparent: trace.traceparent,
  });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  try {
    const response = await fetch(withQuery(path, options.query), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal ? AbortSignal.any([options.signal, late]) : late,
    });
    return response.ok
      ? { response, body: await read(response) }
      : { response, refusal: await refusal(response, trace.id) };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const broken = error instanceof SyntaxError ? 'internal' : 'unreachable';
    throw new ApiError(
      late.aborted ? 'late' : broken,
      `${method} ${path} got no answer`,
      // Without a network no request was made, and so nobody finds its trace.
      { traceId: navigator.onLine ? trace.id : undefined },
      error,
    );
  }
}

/** `path` with what is set of `query`. */
export function withQuery(path: string, query: CallOptions['query']): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  return params.size > 0 ? `${path}?${params}` : path;
}

async function refusal(response: Response, traceId: string): Promise<ApiError> {
  // The status counts, whatever becomes of the words.
  const text = await response.text().catch(() => '');
  const problem = { traceId, ...problemIn(text) };
  const reason = problem.code ?? (response.status === 401 ? 'unauthenticated' : 'internal');
  const error = new ApiError(reason, problem.detail ?? problem.title ?? `status ${response.status}`, problem);
  error.retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return error;
}

/** A proxy on the way answers in words of its own. */
function problemIn(text: string): Partial<Problem> {
  try {
    return JSON.parse(text) as Partial<Problem>;
  } catch {
    return {};
  }
}
