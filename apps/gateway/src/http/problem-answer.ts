import type { Refusal } from '@stoa/messaging';
import { type Area } from './area.ts';
import { errorPage, errorPagePolicy, wantsPage } from './error-page.ts';
import { toProblem } from './problem-details.ts';

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Converts a refusal into problem details (RFC 9457), or into an HTML page if a browser navigates to the address. */
export function problemAnswer(refusal: Refusal, area: Area, accept: string | undefined): ProblemAnswer {
  const problem = toProblem(refusal);
  const page = wantsPage(area, accept);
  return {
    status: problem.status,
    headers: {
      ...(refusal.code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(refusal.retryAfter ? { 'retry-after': String(refusal.retryAfter) } : {}),
      ...(page ? { 'content-security-policy': errorPagePolicy } : {}),
      'cache-control': 'no-store',
      'content-type': page ? 'text/html; charset=utf-8' : 'application/problem+json',
    },
    body: page ? errorPage(problem.status) : JSON.stringify(problem),
  };
}

/** The problem details or page for a refusal, with all headers, for errors that Fastify itself does not answer. */
export function wholeProblemAnswer(
  refusal: Refusal,
  area: Area,
  accept: string | undefined,
  common: (area: Area) => Record<string, string>,
): ProblemAnswer {
  const { status, headers, body } = problemAnswer(refusal, area, accept);
  const length = String(Buffer.byteLength(body));
  const date = new Date().toUTCString();
  return { status, headers: { ...common(area), ...headers, 'content-length': length, date }, body };
}
