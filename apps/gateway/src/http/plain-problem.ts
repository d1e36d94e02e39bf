import type { Refusal } from '@stoa/messaging';
import { type Area } from './area.ts';
import { errorPage, errorPagePolicy, wantsPage } from './error-page.ts';
import { toProblem } from './problem-details.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A problem as it leaves where no Fastify reply is at hand. */
export function plainProblem(
  refusal: Refusal,
  area: Area,
  accept: string | undefined,
  headers: (area: Area) => Record<string, string>,
): Answer {
  const problem = toProblem(refusal);
  const page = wantsPage(area, accept);
  const body = page ? errorPage(problem.status) : JSON.stringify(problem);
  return {
    status: problem.status,
    headers: {
      ...headers(area),
      ...(page ? { 'content-security-policy': errorPagePolicy } : {}),
      ...(refusal.retryAfter ? { 'retry-after': String(refusal.retryAfter) } : {}),
      'cache-control': 'no-store',
      'content-type': page ? 'text/html; charset=utf-8' : 'application/problem+json',
      'content-length': String(Buffer.byteLength(body)),
      date: new Date().toUTCString(),
    },
    body,
  };
}
