import { deliveryKeyHeader, Problem } from '@stoa/contracts';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOperation, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { z } from 'zod';
import { OperatorsOnly, Public, SignedIn, SignedInOrKey } from '../auth/access.decorator.ts';

interface OperationOptions {
  /** A short text for lists of operations. */
  readonly summary: string;
  readonly description: string;
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** Statuses of the problems that callers should expect besides 400, 429, 503 and 504. */
  readonly problems?: number[];
  /** The media type of a response that is not JSON. */
  readonly mediaType?: string;
  /** Follow-up operations by id, with runtime expressions for their parameters (OpenAPI links). */
  readonly leadsTo?: Record<string, Record<string, string>>;
}

const done = {
  200: 'The response.',
  201: 'Created.',
  202: 'Accepted. The work follows soon.',
  204: 'Done.',
  302: 'Redirects to `Location`.',
};

const location = {
  description: 'The address of the redirect.',
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

/** A public route, with the schema of its response. */
export function PublicRoute(schema: z.ZodType | null, options: OperationOptions) {
  // Explicit, since the default of the document requires a token.
  return applyDecorators(Public(), ApiSecurity({}), operation(schema, options));
}

/** A route for signed-in creators, with the schema of its response. */
export function CreatorRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, ...(options.problems ?? [])];
  return applyDecorators(SignedIn(), ApiBearerAuth(), operation(schema, { ...options, problems }));
}

/** A route for operators, with the schema of its response. */
export function OperatorRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, 403, ...(options.problems ?? [])];
  return applyDecorators(OperatorsOnly(), ApiBearerAuth(), operation(schema, { ...options, problems }));
}

/** Declares optimistic concurrency: the route refuses an edit when the version in `If-Match` is not the current one. */
export function OptimisticEdit() {
  return applyDecorators(
    ApiHeader({
      name: 'If-Match',
      required: false,
      description:
        'The `ETag` of the response on which the edit is based. The edit is refused with 412 when the record has changed since. Without this header the edit always applies.',
      schema: { type: 'string', maxLength: 256 },
    }),
    ApiResponse({ status: 412, description: 'Problem details (RFC 9457).', standardSchema: Problem }),
  );
}

/** A route for signed-in creators and for callers with a key, with the schema of its response. */
export function KeyRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, ...(options.problems ?? [])];
  // The token is optional, since a key opens the route too.
  return applyDecorators(
    SignedInOrKey(),
    ApiBearerAuth(),
    ApiSecurity({}),
    ApiHeader({
      name: deliveryKeyHeader,
      required: false,
      description: 'The delivery key of the offering, or the key of a sale.',
      schema: { type: 'string', maxLength: 512 },
    }),
    operation(schema, { ...options, problems }),
  );
}
