import { type Problem, type ProblemCode, problemStatus } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { currentTraceId } from '@stoa/telemetry';
import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';

const codeOfStatus: Partial<Record<number, ProblemCode>> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'too_large',
  414: 'address_too_long',
  415: 'unsupported_media_type',
  417: 'expectation_failed',
  429: 'rate_limited',
  431: 'headers_too_large',
  503: 'unavailable',
};

/** Converts a refusal into problem details. Without a type, the title is that of the HTTP status (RFC 9457). */
export function toProblem({ code, message, fields }: Refusal): Problem {
  const status = problemStatus[code];
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    code,
    detail: message,
    traceId: currentTraceId(),
    ...(fields.length > 0 ? { errors: fields } : {}),
  };
}

/** Converts any error into the refusal that the caller receives. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalid_input' : 'internal');
  if (code === 'internal') return new Refusal(code, 'Something went wrong.');
  return new Refusal(code, (error as Error).message);
}

// Fastify's own errors, such as for a body that is too large, contain their status.
function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
}
