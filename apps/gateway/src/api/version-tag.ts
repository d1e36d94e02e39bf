import { EditedVersion } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

/**
 * Sets the `ETag` that the owner sends as `If-Match` with an edit. It contains the version and a hash of the response,
 * because parts such as a count change without a new version.
 */
export function withVersionTag<T extends { version: number }>(reply: FastifyReply, record: T): T {
  const hash = createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16);
  void reply.header('etag', `"${record.version}.${hash}"`);
  return record;
}

// A proxy that compresses the response marks the tag as weak (W/). Its version is still valid.
const oneTag = /^(?:W\/)?"([1-9]\d{0,9})(?:\.[\w-]*)?"$/;

/** The version in the `If-Match` header; undefined without the header or for `*`. */
export const IfMatchVersion = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const version = EditedVersion.safeParse(Number(oneTag.exec(header)?.[1]));
  // A tag in another format is not one that the gateway has sent.
  if (!version.success) throw new Refusal('precondition_failed', 'If-Match names no version that there is.');
  return version.data;
});
