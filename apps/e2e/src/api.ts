import type { Problem } from '@stoa/contracts';
import { expect } from '@playwright/test';
import { randomInt } from 'node:crypto';
import { theSystem } from './system.ts';

export interface RequestOptions {
  token?: string;
  body?: unknown;
  /** A body that is sent as it is, instead of JSON. */
  raw?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  /** Base URL of the gateway, if there are several. */
  site?: string;
  withinMs?: number;
  /** Maximum milliseconds until the response begins. `withinMs` limits the whole response. */
  beginsWithinMs?: number;
}

/**
 * A random address for each visitor, so that tests do not share rate limits. It is private, because Keycloak requires HTTPS
 * for public addresses.
 */
export const randomIpAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`;

export async function fetchApi(
  method: string,
  path: string,
  {
    token,
    body,
    raw,
    headers,
    site = theSystem().siteUrl,
    withinMs = 30_000,
    beginsWithinMs = withinMs,
  }: RequestOptions = {},
): Promise<Response> {
  const patience = new AbortController();
  const late = () => patience.abort(new DOMException('No answer began in time.', 'TimeoutError'));
  const timer = setTimeout(late, beginsWithinMs);
  return fetch(site + path, {
    method,
    redirect: 'manual',
    headers: {
      'x-forwarded-for': randomIpAddress(),
      ...(token && { authorization: `Bearer ${token}` }),
      ...((body !== undefined || raw !== undefined) && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    signal: AbortSignal.any([AbortSignal.timeout(withinMs), patience.signal]),
  }).finally(() => clearTimeout(timer));
}

/** Sends a request that must succeed, and returns the JSON of its response. */
export async function fetchJson<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await fetchApi(method, path, options);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Expects problem details with this status, and returns them. */
export async function expectProblem(response: Response, status: number): Promise<Problem> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  const problem = JSON.parse(text) as Problem;
  expect(problem.status).toBe(status);
  expect(problem.traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(text).not.toMatch(/\bat \S+ \(|node_modules|SELECT .* FROM|postgres/i);
  return problem;
}

/** Expects that the API refuses the input, and returns the names of the invalid fields. */
export async function expectInvalidFields(response: Response): Promise<string[]> {
  const problem = await expectProblem(response, 400);
  expect(problem.code).toBe('invalid_input');
  return (problem.errors ?? []).map(({ field }) => field).toSorted();
}
