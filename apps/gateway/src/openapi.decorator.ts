import { Problem } from '@stoa/contracts';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiSecurity } from '@nestjs/swagger';
import type { z } from 'zod';
import { Public, SignedIn, SignedInOrKey } from './auth/access.decorator.ts';

interface AnswerOptions {
  readonly status?: 200 | 201 | 202 | 204;
  /** Statuses of the problems that callers should expect besides 400, 429, 503 and 504. */
  readonly problems?: number[];
}

function answers(schema: z.ZodType | null, { status = 200, problems = [] }: AnswerOptions) {
  return applyDecorators(
    HttpCode(status),
    ApiResponse({ status, description: 'Done.', ...(schema ? { standardSchema: schema } : {}) }),
    ...[400, 429, 503, 504, ...problems].map((problem) =>
      ApiResponse({ status: problem, description: 'Problem details (RFC 9457).', standardSchema: Problem }),
    ),
  );
}

/** A route for everybody, and what it answers. */
export function PublicRoute(schema: z.ZodType | null, options: AnswerOptions = {}) {
  return applyDecorators(Public(), answers(schema, options));
}

/** A route for signed-in creators, and what it answers. */
export function CreatorRoute(schema: z.ZodType | null, options: AnswerOptions = {}) {
  const problems = [401, ...(options.problems ?? [])];
  return applyDecorators(SignedIn(), ApiBearerAuth(), answers(schema, { ...options, problems }));
}

/** A route for signed-in creators and for whoever brings a key, and what it answers. */
export function KeyRoute(schema: z.ZodType | null, options: AnswerOptions = {}) {
  const problems = [401, ...(options.problems ?? [])];
  // A token or a key: without a token it may still be answered.
  return applyDecorators(
    SignedInOrKey(),
    ApiBearerAuth(),
    ApiSecurity({}),
    answers(schema, { ...options, problems }),
  );
}
