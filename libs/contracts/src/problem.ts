import { z } from 'zod';

/** The closed set of reasons for a refusal, and the HTTP status that each becomes. */
export const problemStatus = {
  invalid_input: 400,
  unauthenticated: 401,
  forbidden: 403,
  /** It takes a log-in of the last minutes, and then the same again. */
  fresh_login_required: 403,
  not_found: 404,
  /** The address is there, but takes other methods. */
  method_not_allowed: 405,
  /** The request did not arrive in time. */
  request_timeout: 408,
  conflict: 409,
  /** As many as one account may have; it has to give one up first. */
  limit_reached: 409,
  /** It was changed since the version that the edit was made from. */
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
  message: z.string().describe('What is wrong with it, for people.'),
});
export type FieldError = z.infer<typeof FieldError>;

/** RFC 9457 problem details, as every error of the HTTP API answers. */
export const Problem = z
  .object({
    type: z.string().describe('Always `about:blank`: `code` tells problems apart.'),
    title: z.string().describe("The status's own phrase."),
    status: z.int(),
    code: ProblemCode.describe('The reason, for programs.'),
    detail: z.string().describe('The reason, for people.').optional(),
    traceId: z.string().describe('By which the operator finds the request again.').optional(),
    errors: z.array(FieldError).describe('The fields of bad input.').optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
