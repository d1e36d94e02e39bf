import { hasOneHost } from '@stoa/platform';
import replyFrom from '@fastify/reply-from';
import { connectToPart } from '@stoa/platform';
import { Logger } from '@nestjs/common';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { Agent } from 'undici';
import { canonicalTarget } from './canonical-target.ts';

export interface ReverseProxyOptions {
  readonly name: string;
  readonly upstream: string;
  readonly trustProxy: (address: string, hop: number) => boolean;
  /** Options of Fastify. With a certificate the proxy accepts only HTTPS. */
  readonly server: object;
  /** Milliseconds from the first byte of a request to its last. */
  readonly requestMs: number;
  /** Milliseconds for which the upstream may send nothing. */
  readonly answerMs: number;
  /** Headers of every response, whether the proxy itself answers or forwards. */
  readonly headers: Readonly<Record<string, string>>;
  /** Answers a request that the proxy or its upstream has refused. */
  readonly refuse: (request: FastifyRequest, reply: FastifyReply, status: number) => FastifyReply;
}

/** An HTTP client for requests of the proxy itself, with the timeouts of forwarded requests. */
export const upstreamAgent = (answerMs: number): Agent =>
  new Agent({
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    connect: connectToPart,
  });

/** Bytes and milliseconds for which the proxy still reads the body of a refused request. */
const droppedBytes = 65_536;
const droppedMs = 1000;
/** Seconds to wait after 503 and 504: Keycloak and the store usually recover within moments. */
const retryAfterSeconds = 1;

/** Creates a reverse proxy that forwards only the routes that the caller adds. */
export async function createReverseProxy(options: ReverseProxyOptions): Promise<FastifyInstance> {
  const { name, upstream, trustProxy, server, headers, refuse } = options;
  const logger = new Logger(name);
  const proxy = Fastify({
    ...server,
    trustProxy,
    requestTimeout: options.requestMs,
    keepAliveTimeout: 60_000,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 1024 },
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) =>
      void refuse(request, withHeaders(reply, headers), statusOf(error)),
    clientErrorHandler(error, socket) {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      socket.end(rawRefusal(error.code, headers));
    },
  });
  await proxy.register(replyFrom, {
    base: upstream,
    disableRequestLogging: true,
    disableCache: true,
    undici: {
      connections: 256,
      headersTimeout: options.answerMs,
      bodyTimeout: options.answerMs,
      connect: connectToPart,
    },
    destroyAgent: true,
  });
  // Each proxy adds parsers only for the bodies that it accepts.
  proxy.removeAllContentTypeParsers();

  // Without this listener, Node answers an `Expect` header by itself and without the security headers.
  proxy.server.on('checkExpectation', (_request, response) => {
    response.writeHead(417, { ...headers, 'cache-control': 'no-store', connection: 'close' }).end();
  });
  proxy.addHook('onRequest', async (request, reply) => {
    withHeaders(reply, headers);
    if (!hasOneHost(request.raw)) return refuse(request, reply, 400);
    // All later checks and the upstream get the normalized target, so that they cannot decode it differently.
    const target = canonicalTarget(request.raw.url ?? '');
    if (target === undefined) return refuse(request, reply, 400);
    request.raw.url = target;
    if (request.headers.upgrade !== undefined) return refuse(request, reply, 404);
  });
  // Adds `Retry-After`, which not every upstream sends.
  proxy.addHook('onSend', async (_request, reply) => {
    if ([503, 504].includes(reply.statusCode) && !reply.hasHeader('retry-after'))
      void reply.header('retry-after', retryAfterSeconds);
  });
  proxy.addHook('onSend', async ({ raw }, reply) => {
    if (raw.method !== 'POST' || raw.complete || (await readToItsEnd(raw))) return;
    // The unread rest of the body would be parsed as the next request of this connection.
    void reply.header('connection', 'close');
  });
  proxy.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const { url: route = 'none' } = routeOptions;
    // Not logged, because each page loads a dozen of these files.
    if (route.startsWith('/resources/')) return;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    logger.log({ message: 'answered', method, route, status: reply.statusCode, ms });
  });
  proxy.setNotFoundHandler((request, reply) => refuse(request, reply, 404));
  proxy.setErrorHandler((error: FastifyError, request, reply) => {
    const status = statusOf(error);
    if (status >= 500) logger.warn(`${request.routeOptions.url}: ${error.message}`);
    return refuse(request, reply, status);
  });
  return proxy;
}

/**
 * Reads and discards the rest of a small body, and returns whether it was complete. Otherwise the client would still be
 * sending, and would not read the response.
 */
async function readToItsEnd(raw: IncomingMessage): Promise<boolean> {
  if (!(Number(raw.headers['content-length']) <= droppedBytes)) return false;
  raw.resume();
  const signal = AbortSignal.timeout(droppedMs);
  await finished(raw, { writable: false, signal }).catch(() => undefined);
  return raw.complete;
}

function withHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): FastifyReply {
  return reply.headers(headers);
}

/**
 * An unreachable upstream gives 503, because neither the proxy nor the client is wrong. Fastify's own errors have a status.
 */
const statusOf = ({ statusCode = 500 }: FastifyError): number => {
  if (statusCode === 504) return 504;
  return statusCode >= 500 ? 503 : statusCode;
};

const rawStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** The response to input that Node's HTTP parser rejects, as text, because no request object exists then. */
function rawRefusal(code: string, headers: Readonly<Record<string, string>>): string {
  const status = rawStatus[code] ?? '400 Bad Request';
  const lines = Object.entries({
    ...headers,
    'cache-control': 'no-store',
    connection: 'close',
    'content-length': '0',
  });
  return [`HTTP/1.1 ${status}`, ...lines.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n');
}
