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
  return (await callWithStatus<T>(method, path, options)).body;
}

/** The same with the status, where two of them mean success. */
export async function callWithStatus<T>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<{ status: number; body: T }> {
  // The token may be as long in coming as the answer.
  const late = AbortSignal.timeout(options.longestMs ?? longestCallMs);
  const token = options.signedIn ? await tokens?.token() : undefined;
  let response = await send(method, path, options, token, late);
  if (response.status === 401 && options.signedIn) {
    const renewed = await tokens?.renew();
    if (renewed) response = await send(method, path, options, renewed, late);
  }
  if (!response.ok) throw await refusal(response);
  const { status } = response;
  // 204 has no body, and 202 none where there is nothing to say yet.
  const text = await response.text();
  const body: unknown = text ? JSON.parse(text) : undefined;
  const age = Number(response.headers.get('age'));
  if (age > 0 && typeof body === 'object' && body !== null) ages.set(body, age * 1000);
  return { status, body: body as T };
}

async function send(
  method: string,
  path: string,
  options: CallOptions,
  token: string | undefined,
  late: AbortSignal,
): Promise<Response> {
  const trace = newTrace();
  const headers = new Headers({
    ...options.headers,
    accept: 'application/json',
    traceparent: trace.traceparent,
  });
  if (token) headers.set('authorization', `Bearer ${token}`);
  if (options.body !== undefined) headers.set('content-type', 'application/json');
  try {
    return await fetch(withQuery(path, options.query), {
      method,
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal ? AbortSignal.any([options.signal, late]) : late,
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const reason = late.aborted ? 'late' : 'unreachable';
    throw new ApiError(reason, `${method} ${path} got no answer`, { traceId: trace.id }, error);
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

async function refusal(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const reason = problem.code ?? (response.status === 401 ? 'unauthenticated' : 'internal');
  const error = new ApiError(reason, problem.detail ?? problem.title ?? `status ${response.status}`, problem);
  error.retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return error;
}
