import type { FastifyReply, FastifyRequest } from 'fastify';
import { endWait } from '../http/late-answers.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { Form } from './cached-response.ts';
import type { Found, PublicReads } from './public-reads.ts';

/** Status, headers and body of an answer to a request like this. */
export function negotiateResponse(
  { answer, ageMs }: Found,
  { body, headers }: Form,
  ifNoneMatch: string | undefined,
): { status: number; headers: Readonly<Record<string, string>>; body?: Buffer } {
  if (!answer.matches(ifNoneMatch))
    return {
      status: 200,
      headers: ageMs === undefined ? headers : { ...headers, ...ageHeaders(ageMs) },
      body,
    };
  const { 'content-length': _, 'content-encoding': __, ...unchanged } = headers;
  // A cache keeps of a header what a 304 does not name: without this, the age of an outage that is over.
  return { status: 304, headers: { ...unchanged, ...ageHeaders(ageMs ?? 0) } };
}

/** Once for caches, once for the scripts of a page, which read no other header of it. */
const ageHeaders = (ageMs: number) => ({
  age: String(Math.floor(ageMs / 1000)),
  'server-timing': `age;dur=${Math.floor(ageMs)}`,
});

/** Gives the answer at `key` to a request that a controller took. */
export async function sendResponse(
  reads: PublicReads,
  key: string,
  found: Found,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  endWait(request);
  const form = await reads.formOf(key, found.answer, acceptedEncoding(request.headers['accept-encoding']));
  const { status, headers, body } = negotiateResponse(found, form, request.headers['if-none-match']);
  await reply.code(status).headers(headers).send(body);
}
