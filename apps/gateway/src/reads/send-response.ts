import type { FastifyReply, FastifyRequest } from 'fastify';
import { endWait } from '../http/late-answers.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { Representation } from './cached-response.ts';
import type { CachedAnswer, PublicReads } from './public-reads.ts';

/** Status, headers and body of a response, which is 304 if `If-None-Match` names it. */
export function negotiateResponse(
  { answer, ageMs }: CachedAnswer,
  { body, headers }: Representation,
  ifNoneMatch: string | undefined,
): { status: number; headers: Readonly<Record<string, string>>; body?: Buffer } {
  if (!answer.matches(ifNoneMatch))
    return {
      status: 200,
      headers: ageMs === undefined ? headers : { ...headers, ...ageHeaders(ageMs) },
      body,
    };
  const { 'content-length': _, 'content-encoding': __, ...unchanged } = headers;
  // A 304 updates only the headers that it names. Without these a cache would keep the age of a past outage.
  return { status: 304, headers: { ...unchanged, ...ageHeaders(ageMs ?? 0) } };
}

/**
 * `Age` is for caches. `Server-Timing` is the only header that scripts can read of their own page. Rounded up, so that
 * the age of a stale answer is above 0: the web app reads such an answer once more.
 */
const ageHeaders = (ageMs: number) => ({
  age: String(Math.ceil(ageMs / 1000)),
  'server-timing': `age;dur=${Math.ceil(ageMs)}`,
});

/** Sends the cached response at `key` through Fastify. */
export async function sendResponse(
  reads: PublicReads,
  key: string,
  found: CachedAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  endWait(request);
  const representation = await reads.representationOf(
    key,
    found.answer,
    acceptedEncoding(request.headers['accept-encoding']),
  );
  const { status, headers, body } = negotiateResponse(
    found,
    representation,
    request.headers['if-none-match'],
  );
  await reply.code(status).headers(headers).send(body);
}
