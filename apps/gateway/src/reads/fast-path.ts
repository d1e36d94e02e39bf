import { trustedProxies } from '@stoa/platform';
import { recordHttpRequest } from '@stoa/telemetry';
import proxyAddress from '@fastify/proxy-addr';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { GatewayConfig } from '../gateway.config.ts';
import { RateLimits } from '../http/rate-limits.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { PublicReads } from './public-reads.ts';
import { represented } from './send-answer.ts';

/**
 * Answers what is in memory before a router, a span or a log line is made for it. Whatever is not as plain as can be goes
 * the way of all requests: another method, a token, a body, an address that is written otherwise, a spent limit, and a
 * sample, from which traces and logs know of these answers too.
 */
export function answerFromMemory(app: NestFastifyApplication): void {
  const config = app.get(GatewayConfig);
  const reads = app.get(PublicReads);
  const limits = app.get(RateLimits);
  const trusted = trustedProxies(config);
  const sampled = config.PUBLIC_READS_SAMPLED;
  let open = true;

  const answered = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method = '', url = '', headers } = request;
    if (!open || (method !== 'GET' && method !== 'HEAD') || !isPlain(headers)) return false;
    const found = reads.peek(url);
    if (!found || Math.random() < sampled) return false;
    const { kind } = found.answer;
    const form = found.answer.ready(acceptedEncoding(headers['accept-encoding']?.toString()));
    if (!form) return false;
    const since = performance.now();
    const address = config.TRUST_PROXY > 0 ? proxyAddress(request, trusted) : request.socket.remoteAddress;
    if (!limits.allow(address ?? '', kind.limits)) return false;
    const { status, headers: told, body } = represented(found, form, headers['if-none-match']);
    response.writeHead(status, told).end(method === 'HEAD' ? undefined : body);
    const scheme = 'encrypted' in request.socket ? 'https' : 'http';
    recordHttpRequest({ method, scheme, route: kind.route, status, version: request.httpVersion, since });
    return true;
  };

  const server = app.getHttpServer() as Server;
  // On this server alone, and before the prototype's own, which is where instrumentation makes a span.
  const emit = server.emit.bind(server);
  server.emit = (event: string, ...values: unknown[]) => {
    if (event !== 'request') return emit(event, ...values);
    const [request, response] = values as [IncomingMessage, ServerResponse];
    return answered(request, response) || emit(event, ...values);
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preClose', async () => {
      open = false;
    });
}

const isPlain = (headers: IncomingMessage['headers']) =>
  headers.authorization === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers.upgrade === undefined &&
  headers.range === undefined;
