import type { Refusal } from '@stoa/messaging';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Area, areaOf, areaOfTarget } from './area.ts';
import { problemAnswer } from './problem-answer.ts';
import { toRefusal } from './problem-details.ts';

/** Answers every error with problem details (RFC 9457), or with an HTML page if a browser navigates to the address. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const refusal = toRefusal(error);
    if (refusal.code === 'internal') this.logger.error(error);
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    send(refusal, areaOf(request), request, http.getResponse<FastifyReply>());
  }
}

/** Answers errors that Fastify throws before Nest handles the request, such as for an address that cannot be decoded. */
export const answerFrameworkError = (
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void => send(toRefusal(error), areaOfTarget(request.url), request, reply);

function send(refusal: Refusal, area: Area, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = problemAnswer(refusal, area, request.headers.accept);
  void reply.code(status).headers(headers).send(body);
}
