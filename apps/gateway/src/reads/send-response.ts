import type { FastifyReply, FastifyRequest } from 'fastify';
import { endWait } from '../http/late-answers.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { Representation } from './cached-response.ts';
import type { CachedAnswer, PublicReads } from './public-reads.ts';

/** Status, headers and body of the response: 304 if `If-None-Match` contains its tag. */
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
  // A cache keeps the earlier headers that a 304 does not contain, so the age must always be there.
  return { status: 304, headers: { ...unchanged, ...ageHeaders(ageMs ?? 0) } };
}

/**
 * `Age` is for caches, and a shared cache changes it. The web app reads `Server-Timing`, and requests a stale answer once
 * more. Both are rounded up, so that a stale answer never has age 0.
 */
const ageHeaders = (ageMs: number) => ({
  age: String(Math.ceil(ageMs / 1000)),
  'server-timing': `age;dur=${Math.ceil(ageMs)}`,
});

/** Sends a cached response through Fastify. */
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
