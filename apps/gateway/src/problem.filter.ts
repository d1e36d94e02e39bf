import { type Problem, type ProblemCode, problemStatus } from '@stoa/contracts';
import { Refusal } from '@stoa/messaging';
import { currentTraceId } from '@stoa/telemetry';
import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import type { FastifyError, FastifyReply } from 'fastify';

const titles: Record<ProblemCode, string> = {
  invalid_input: 'Invalid input',
  unauthenticated: 'Not signed in',
  forbidden: 'Not allowed',
  not_found: 'Not found',
  conflict: 'Conflict',
  limit_reached: 'As many as allowed',
  too_large: 'Too large',
  unsupported_picture: 'Not a picture we can use',
  rate_limited: 'Too many requests',
  internal: 'Something went wrong',
  unavailable: 'Not available',
  timeout: 'No answer in time',
};

const codeOfStatus: Partial<Record<number, ProblemCode>> = {
  400: 'invalid_input',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  415: 'invalid_input',
  429: 'rate_limited',
  503: 'unavailable',
};

/** Every error of the HTTP API leaves as problem details (RFC 9457). */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const refusal = toRefusal(error);
    if (refusal.code === 'internal') this.logger.error(error);
    send(refusal, host.switchToHttp().getResponse<FastifyReply>());
  }
}

/** For errors that Fastify meets before Nest has the request, such as an address that cannot be decoded. */
export const answerFrameworkError = (error: FastifyError, _request: unknown, reply: FastifyReply): void =>
  send(toRefusal(error), reply);

function send(refusal: Refusal, reply: FastifyReply): void {
  const problem = toProblem(refusal);
  if (refusal.code === 'unauthenticated') void reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfter) void reply.header('retry-after', refusal.retryAfter);
  void reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(problem);
}

/** The problem details that a refusal becomes. */
export function toProblem({ code, message, fields }: Refusal): Problem {
  return {
    type: 'about:blank',
    title: titles[code],
    status: problemStatus[code],
    code,
    detail: message,
    traceId: currentTraceId(),
    ...(fields.length > 0 ? { errors: fields } : {}),
  };
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const status = error instanceof HttpException ? error.getStatus() : statusOf(error);
  const code = codeOfStatus[status] ?? (status >= 400 && status < 500 ? 'invalid_input' : 'internal');
  if (code === 'internal') return new Refusal(code, 'Something went wrong.');
  return new Refusal(code, (error as Error).message);
}

// Fastify's own errors (body too large, malformed JSON) carry their status.
function statusOf(error: unknown): number {
  return error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
}
