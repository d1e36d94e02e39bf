import type { FieldError, Problem, ProblemCode } from '@stoa/contracts';
import { newTrace } from './trace.ts';
import { endWrite, keyOfWrite } from './write-keys.ts';

/**
 * Why a call failed. Two reasons come from the browser. `unreachable`: no answer came. `late`: the time limit
 * passed, and only the user decides about another attempt.
 */
export type Reason = ProblemCode | 'unreachable' | 'late';

export class ApiError extends Error {
  readonly reason: Reason;
  readonly fields: readonly FieldError[];
  readonly traceId: string | undefined;
  /** Seconds after which another attempt may succeed, if the server sent them. */
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

/** Whether the same call would fail in the same way again. */
export function isPermanent(error: unknown): boolean {
  return error instanceof ApiError && permanent.has(error.reason);
}

const transient: ReadonlySet<Reason> = new Set(['internal', 'unavailable', 'timeout', 'unreachable']);

/** Whether the server or the network failed, so that the same call may soon succeed. */
export function isTransient(error: unknown): error is ApiError {
  return error instanceof ApiError && transient.has(error.reason);
}

/** The source of the signed-in user's tokens. `auth/` provides it. */
export interface TokenSource {
  token(): Promise<string | undefined>;
  /** Fetches a new token after a refusal of the old one; undefined if the session is over. */
  renew(): Promise<string | undefined>;
}

/** Dead connections raise no error, so calls time out. The gateway itself answers within a third of this. */
const longestCallMs = 15_000;
/** Repeats of a write that the server could not do or answer. The server's `Retry-After` sets the pause. */
const maxRepeats = 2;
const repeatsWithinMs = 6000;
const longestPauseSeconds = 2;

let tokens: TokenSource | undefined;

export function setTokenSource(source: TokenSource | undefined): void {
  tokens = source;
}

const stale = new WeakSet<object>();

/** The gateway's own age of an answer, above 0 for stale ones. `Age` counts the time in shared caches, too. */
const staleAtGateway = /(?:^|,)\s*age;dur=[1-9]/;

/** Marks an answer that was stale when it arrived: a change of it is known or possible. */
export function noteStale(answer: unknown): void {
  if (typeof answer === 'object' && answer !== null) stale.add(answer);
}

/** Whether `answer` was stale when it arrived. */
export function arrivedStale(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && stale.has(answer);
}

export interface CallOptions {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Signed-in calls carry the user's token. Public calls carry none and stay cacheable. */
  signedIn?: boolean;
  /** For a call that may take longer than the usual limit. */
  longestMs?: number;
}

export function get<T>(path: string, options: CallOptions = {}): Promise<T> {
  return call<T>('GET', path, options);
}

export async function call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const { response, body } = await exchange(method, path, options, readJson);
  if (staleAtGateway.test(response.headers.get('server-timing') ?? '')) noteStale(body);
  return body as T;
}

/**
 * Makes one call and reads its body with `read`. A body that stalls or breaks off is a failure like any
 * other.
 */
export async function exchange<B>(
  method: string,
  path: string,
  options: CallOptions,
  read: (response: Response) => Promise<B>,
): Promise<Exchange<B>> {
  // The limit includes the wait for a token.
  const late = AbortSignal.timeout(options.longestMs ?? longestCallMs);
  return method === 'GET'
    ? exchangeOnce(method, path, options, late, read)
    : write(method, path, options, late, read);
}

/** Sends a write with an idempotency key, so that the server recognizes a repeat. */
async function write<B>(
  method: string,
  path: string,
  options: CallOptions,
  late: AbortSignal,
  read: (response: Response) => Promise<B>,
): Promise<Exchange<B>> {
  const place = `${method} ${path}`;
  const key = keyOfWrite(place, JSON.stringify([options.body, options.headers]));
  const keyed = { ...options, headers: { ...options.headers, 'idempotency-key': key } };
  const began = performance.now();
  for (let repeats = 0; ; repeats += 1) {
    try {
      const outcome = await exchangeOnce(method, path, keyed, late, read);
      endWrite(place);
      return outcome;
    } catch (error) {
      if (!mayHaveSucceeded(error)) endWrite(place);
      const pauseSeconds = pauseBeforeRepeat(error);
      const isOver = repeats === maxRepeats || performance.now() - began > repeatsWithinMs;
      if (pauseSeconds === undefined || isOver || options.signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * pauseSeconds));
    }
  }
}

const mayHaveSucceeded = (error: unknown) =>
  !(error instanceof ApiError) || error.reason === 'late' || transient.has(error.reason);

function pauseBeforeRepeat(error: unknown): number | undefined {
  if (!(error instanceof ApiError) || !['unavailable', 'timeout'].includes(error.reason)) return undefined;
  return error.retryAfter && Math.min(error.retryAfter, longestPauseSeconds);
}

async function exchangeOnce<B>(
  method: string,
  path: string,
  options: CallOptions,
  late: AbortSignal,
  read: (response: Response) => Promise<B>,
): Promise<Exchange<B>> {
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

/** Parses the JSON body of an answer. */
export async function readJson(response: Response): Promise<unknown> {
  // A 204 has no body, and a 202 may have none.
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
      // An offline browser sent no request, so the trace would lead nowhere.
      { traceId: navigator.onLine ? trace.id : undefined },
      error,
    );
  }
}

/** Appends the parameters of `query` that have a value to `path`. */
export function withQuery(path: string, query: CallOptions['query']): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') params.set(name, String(value));
  }
  return params.size > 0 ? `${path}?${params}` : path;
}

async function refusal(response: Response, traceId: string): Promise<ApiError> {
  // A body that cannot be read does not matter: the status decides.
  const text = await response.text().catch(() => '');
  const problem = { traceId, ...problemIn(text) };
  const reason = problem.code ?? (response.status === 401 ? 'unauthenticated' : 'internal');
  const error = new ApiError(reason, problem.detail ?? problem.title ?? `status ${response.status}`, problem);
  error.retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return error;
}

/** A proxy in between may answer with a body that is not JSON. */
function problemIn(text: string): Partial<Problem> {
  try {
    return JSON.parse(text) as Partial<Problem>;
  } catch {
    return {};
  }
}
