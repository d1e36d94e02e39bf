import { deliveryKeyHeader, Problem } from '@stoa/contracts';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOperation, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { z } from 'zod';
import { OperatorsOnly, Public, SignedIn, SignedInOrKey } from '../auth/access.decorator.ts';

interface OperationOptions {
  /** What it does, in some words, for lists of operations. */
  readonly summary: string;
  /** What else callers should know. */
  readonly description: string;
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Statuses of the problems that callers should expect besides 400, 429, 503 and 504. */
  readonly problems?: number[];
  /** Of an answer that is not JSON. */
  readonly mediaType?: string;
  /** Operations that the answer leads to, and where in it their parameters stand. */
  readonly leadsTo?: Record<string, Record<string, string>>;
}

const done = {
  200: 'The answer.',
  201: 'Made.',
  202: 'Taken; it is done soon.',
  204: 'Done.',
  302: 'It is elsewhere, at `Location`.',
};

const location = {
  description: 'Where it is.',
  required: true,
  schema: { type: 'string', format: 'uri' },
} as const;

function operation(
  schema: z.ZodType | null,
  { summary, description, status = 200, problems = [], mediaType, leadsTo }: OperationOptions,
) {
  return applyDecorators(
    HttpCode(status),
    ApiOperation({ summary, description }),
    ApiResponse({
      status,
      description: done[status],
      ...(schema ? { standardSchema: schema } : {}),
      ...(mediaType && { content: { [mediaType]: { schema: { type: 'string' } } } }),
      ...(status === 302 && { headers: { Location: location } }),
      ...(leadsTo && { links: linksTo(leadsTo) }),
    }),
    ...[400, 429, 503, 504, ...problems].map((problem) =>
      ApiResponse({ status: problem, description: 'Problem details (RFC 9457).', standardSchema: Problem }),
    ),
  );
}

const linksTo = (operations: NonNullable<OperationOptions['leadsTo']>) =>
  Object.fromEntries(
    Object.entries(operations).map(([operationId, parameters]) => [operationId, { operationId, parameters }]),
  );

/** A route for everybody, and what it answers. */
export function PublicRoute(schema: z.ZodType | null, options: OperationOptions) {
  // Said, since the document's rule is that one signs in.
  return applyDecorators(Public(), ApiSecurity({}), operation(schema, options));
}

/** A route for signed-in creators, and what it answers. */
export function CreatorRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, ...(options.problems ?? [])];
  return applyDecorators(SignedIn(), ApiBearerAuth(), operation(schema, { ...options, problems }));
}

/** A route for operators, and what it answers. */
export function OperatorRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, 403, ...(options.problems ?? [])];
  return applyDecorators(OperatorsOnly(), ApiBearerAuth(), operation(schema, { ...options, problems }));
}

/** Of a route that refuses an edit of what was changed since `If-Match` was read as the answer's `ETag`. */
export function OptimisticEdit() {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `ETag` of the answer that the edit was made from: what was changed since is left alone (412). Absent, the edit counts whatever was there.',
      schema: { type: 'string', maxLength: 256 },
    }),
    ApiResponse({ status: 412, description: 'Problem details (RFC 9457).', standardSchema: Problem }),
  );
}

/** A route for signed-in creators and for callers with a key, and what it answers. */
export function KeyRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, ...(options.problems ?? [])];
  // A token or a key: without a token it may still be answered.
  return applyDecorators(
    SignedInOrKey(),
    ApiBearerAuth(),
    ApiSecurity({}),
    ApiHeader({
      name: deliveryKeyHeader,
      required: false,
      description: 'The delivery key of the offering.',
      schema: { type: 'string', maxLength: 512 },
    }),
    operation(schema, { ...options, problems }),
  );
}
