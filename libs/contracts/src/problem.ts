import { z } from 'zod';

/** The error codes with their HTTP status. */
export const problemStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  /** The operation needs a recent log-in. After the log-in the client repeats the request. */
  fresh_login_required: 403,
  not_found: 404,
  /** The path exists, but only for other methods. */
  method_not_allowed: 405,
  /** The request did not arrive in time. */
  request_timeout: 408,
  conflict: 409,
  /** The account has reached its maximum and must delete one first. */
  limit_reached: 409,
  /** The record has changed since the version that the user edited. */
  precondition_failed: 412,
  too_large: 413,
  address_too_long: 414,
  unsupported_media_type: 415,
  expectation_failed: 417,
  unsupported_picture: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  timeout: 504,
} as const;

export const ProblemCode = z.enum(
  Object.keys(problemStatus) as [keyof typeof problemStatus, ...(keyof typeof problemStatus)[]],
);
export type ProblemCode = z.infer<typeof ProblemCode>;

export const FieldError = z.object({
  field: z.string().describe('Path of the field in the body or query, joined with dots: `paygates.0.url`.'),
  message: z.string().describe('The problem of the field, for people.'),
});
export type FieldError = z.infer<typeof FieldError>;

/** The problem details (RFC 9457) of all errors of the HTTP API. */
export const Problem = z
  .object({
    type: z.string().describe('Always `about:blank`. `code` identifies the problem.'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int(),
    code: ProblemCode.describe('The reason, for programs.'),
    detail: z.string().describe('The reason, for people.').optional(),
    traceId: z.string().describe('The trace id, with which the operator finds the request.').optional(),
    errors: z.array(FieldError).describe('The invalid fields of the input.').optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
