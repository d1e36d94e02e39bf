import { EditedVersion } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

/**
 * Sets the `ETag` of a record for its owner, for the `If-Match` of an edit. The tag is the version and a hash of the response,
 * since other parts, such as a count, may change without a new version.
 */
export function withVersionTag<T extends { version: number }>(reply: FastifyReply, record: T): T {
  const hash = createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 16);
  void reply.header('etag', `"${record.version}.${hash}"`);
  return record;
}

// A compressing proxy makes a tag weak (W/). Its version is still valid.
const oneTag = /^(?:W\/)?"([1-9]\d{0,9})(?:\.[\w-]*)?"$/;

/** The version in `If-Match`; undefined without the header, or with `*`. */
export const IfMatchVersion = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const version = EditedVersion.safeParse(Number(oneTag.exec(header)?.[1]));
  // Any other tag cannot be that of the current version.
  if (!version.success) throw new Refusal('precondition_failed', 'If-Match names no version that there is.');
  return version.data;
});
