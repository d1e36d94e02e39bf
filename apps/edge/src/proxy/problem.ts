import { currentTraceId } from '@stoa/telemetry';
import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';

/** Answers with problem details (RFC 9457), like the gateway. */
export function problem(reply: FastifyReply, status: number, detail?: string): FastifyReply {
  const body = {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? 'Error',
    status,
    ...(detail && { detail }),
    traceId: currentTraceId(),
  };
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(body));
}
