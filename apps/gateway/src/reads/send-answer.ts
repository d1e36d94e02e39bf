import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { Form } from './kept-answer.ts';
import type { Found, PublicReads } from './public-reads.ts';

/** Status, headers and body of an answer for whoever asks like this. */
export function represented(
  { answer, ageMs }: Found,
  { body, headers }: Form,
  ifNoneMatch: string | undefined,
): { status: number; headers: Readonly<Record<string, string>>; body?: Buffer } {
  const told = ageMs === undefined ? headers : { ...headers, age: String(Math.floor(ageMs / 1000)) };
  if (!answer.matches(ifNoneMatch)) return { status: 200, headers: told, body };
  const { 'content-length': _, 'content-encoding': __, ...unchanged } = told;
  return { status: 304, headers: unchanged };
}

/** Gives the answer at `key` to a request that a controller took. */
export async function sendAnswer(
  reads: PublicReads,
  key: string,
  found: Found,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { answer } = found;
  const encoding = acceptedEncoding(request.headers['accept-encoding']);
  const made = answer.ready(encoding) !== undefined;
  const form = await answer.form(encoding);
  if (!made) reads.weigh(key, answer);
  const { status, headers, body } = represented(found, form, request.headers['if-none-match']);
  await reply.code(status).headers(headers).send(body);
}
