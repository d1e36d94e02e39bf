import { EditedVersion } from '@stoa/contracts';
import { type Document, Refusal } from '@stoa/messaging';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';

/**
 * Tags an answer to its owner as the version that it is, for the `If-Match` of an edit. Behind the version stands a hash:
 * other parts of the answer, such as a count, may change without a new version.
 */
export function withVersionTag<T extends { version: number }>(reply: FastifyReply, record: T): T {
  setTag(reply, record.version, JSON.stringify(record));
  return record;
}

/** The same for a record that its service wrote, which bears its version as a label; answered as it is. */
export function withVersionTagOf(reply: FastifyReply, [record]: readonly Document[]): Buffer {
  if (!record) throw new Error('There is no record to be answered.');
  setTag(reply, Number(record.labels['version']), record.bytes);
  void reply.type('application/json; charset=utf-8');
  return Buffer.from(record.bytes);
}

function setTag(reply: FastifyReply, version: number, content: string | Uint8Array): void {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  void reply.header('etag', `"${version}.${hash}"`);
}

// A proxy that compresses makes a tag weak (W/); the version that it names is the same.
const oneTag = /^(?:W\/)?"([1-9]\d{0,9})(?:\.[\w-]*)?"$/;

/** The version that `If-Match` names; undefined without the header, or with `*`. */
export const IfMatchVersion = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const header = context.switchToHttp().getRequest<FastifyRequest>().headers['if-match']?.trim();
  if (header === undefined || header === '*') return undefined;
  const version = EditedVersion.safeParse(Number(oneTag.exec(header)?.[1]));
  // No version of ours bears another tag.
  if (!version.success) throw new Refusal('precondition_failed', 'If-Match names no version that there is.');
  return version.data;
});
