import type { FastifyReply, FastifyRequest } from 'fastify';

export interface CorsRule {
  /** The only origin whose scripts may send requests. */
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly credentials: boolean;
}

/** Lets scripts of the site read this response. `Vary` is needed for every origin, because caches store the response. */
export function shareWithSite(request: FastifyRequest, reply: FastifyReply, rule: CorsRule): void {
  void reply.header('vary', 'Origin');
  if (request.headers.origin !== rule.origin) return;
  void reply.header('access-control-allow-origin', rule.origin);
  if (rule.credentials) void reply.header('access-control-allow-credentials', 'true');
}

/** Answers a CORS preflight; undefined if the rule does not allow the request. */
export function answerPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  rule: CorsRule,
): FastifyReply | undefined {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (origin !== rule.origin || method !== rule.method) return undefined;
  shareWithSite(request, reply, rule);
  return reply
    .code(204)
    .header('access-control-allow-methods', rule.method)
    .header('access-control-allow-headers', 'content-type')
    .header('access-control-max-age', '600')
    .send();
}
