import { deliveryKeyHeader, Problem } from '@stoa/contracts';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBearerAuth, ApiHeader, ApiOperation, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { z } from 'zod';
import { OperatorsOnly, Public, SignedIn, SignedInOrKey } from '../auth/access.decorator.ts';

interface OperationOptions {
  readonly summary: string;
  readonly description: string;
  readonly status?: 200 | 201 | 202 | 204 | 302;
  /** HTTP statuses of problems that callers should expect, besides 400, 429, 503 and 504. */
  readonly problems?: number[];
  /** The media type of the response, if it is not JSON. */
  readonly mediaType?: string;
  /** Operations that may follow, by id. Their parameters are runtime expressions (OpenAPI links). */
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

/** Declares a route that needs no log-in. `schema` describes the response. */
export function PublicRoute(schema: z.ZodType | null, options: OperationOptions) {
  // The OpenAPI document requires a token by default, so public routes must declare that they need none.
  return applyDecorators(Public(), ApiSecurity({}), operation(schema, options));
}

/** Declares a route for logged-in creators. `schema` describes the response. */
export function CreatorRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, ...(options.problems ?? [])];
  return applyDecorators(SignedIn(), ApiBearerAuth(), operation(schema, { ...options, problems }));
}

/** Declares a route for operators. `schema` describes the response. */
export function OperatorRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, 403, ...(options.problems ?? [])];
  return applyDecorators(OperatorsOnly(), ApiBearerAuth(), operation(schema, { ...options, problems }));
}

/** Declares that the route refuses an edit unless `If-Match` contains the current version (optimistic concurrency). */
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

/** Declares a route for logged-in creators and for callers with a delivery key. `schema` describes the response. */
export function KeyRoute(schema: z.ZodType | null, options: OperationOptions) {
  const problems = [401, ...(options.problems ?? [])];
  // The token is optional here, because the key alone also gives access.
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
