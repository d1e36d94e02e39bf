import type { Refusal } from '@stoa/messaging';
import { hasOneHost, trustedProxies } from '@stoa/platform';
import { asHttpServer, recordHttpRequest } from '@stoa/telemetry';
import { Logger } from '@nestjs/common';
import proxyAddress from '@fastify/proxy-addr';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { GatewayConfig } from '../gateway.config.ts';
import type { FollowAnswer } from '../http/early-errors.ts';
import { wholeProblemAnswer } from '../http/problem-answer.ts';
import { toRefusal } from '../http/problem-details.ts';
import { RateLimits } from '../http/rate-limits.ts';
import { headersFor } from '../http/response-headers.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import { CreatorReads, type Read } from './creator-reads.ts';
import type { ResponseKind, Form } from './cached-response.ts';
import { type Found, PublicReads, tooManyReads } from './public-reads.ts';
import { negotiateResponse } from './send-response.ts';
import { tracedSample } from './traced-sample.ts';

/** A profile or its offerings under a name that is written without detours. */
const creatorAddress = /^\/api\/creators\/([a-z\d_-]{1,60})(\/offerings)?$/;

/** One for all: under a load of which half is refused, an error's stack is much of what its answer costs. */
const tooMany = tooManyReads();

/** A request, while it is answered. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly url: string;
  readonly since: number;
}

/**
 * Answers plain public reads before a router, a library's span or a line in the log is made for them: what is in memory
 * at once, and profiles and lists of offerings as soon as their service has told them. Whatever is not as plain as can be
 * goes the way of all requests: another method, a token, a body, an address that is written otherwise, a spent limit,
 * and a sample, from which traces and logs know of these answers too.
 */
export class FastPath {
  private readonly logger = new Logger('Request');
  private readonly reads: PublicReads;
  private readonly creators: CreatorReads;
  private readonly limits: RateLimits;
  private readonly headers: ReturnType<typeof headersFor>;
  private readonly trusted: ReturnType<typeof trustedProxies>;
  private readonly isBehindProxy: boolean;
  private readonly sampled: number;
  private readonly isSampled: () => boolean;

  constructor(
    app: NestFastifyApplication,
    private readonly follow: FollowAnswer,
  ) {
    const config = app.get(GatewayConfig);
    this.reads = app.get(PublicReads);
    this.creators = app.get(CreatorReads);
    this.limits = app.get(RateLimits);
    this.headers = headersFor(config);
    this.trusted = trustedProxies(config);
    this.isBehindProxy = config.TRUST_PROXY > 0;
    this.sampled = config.PUBLIC_READS_SAMPLED;
    this.isSampled = tracedSample(config);
  }

  /** Whether it answers the request, now or later. */
  takes(request: IncomingMessage, response: ServerResponse): boolean {
    const { method = '', url = '', headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || !isPlain(headers)) return false;
    if (!hasOneHost(request)) return false;
    // A connection that is gone already has no address to count by.
    if (request.socket.remoteAddress === undefined) return false;
    const exchange = { request, response, method, url, since: performance.now() };
    const found = this.reads.peek(url);
    return found ? this.#fromMemory(exchange, found) : this.#fromService(exchange);
  }

  #fromMemory(exchange: Exchange, found: Found): boolean {
    const form = found.answer.ready(encodingOf(exchange));
    if (!form || !this.#mayPass(exchange, found.answer.kind)) return false;
    this.#send(exchange, found, form);
    return true;
  }

  #fromService(exchange: Exchange): boolean {
    const [, username, offerings] = creatorAddress.exec(exchange.url) ?? [];
    if (username === undefined) return false;
    const { profileKind, offeringsKind } = this.creators;
    const kind = offerings ? offeringsKind : profileKind;
    if (!this.#mayPass(exchange, kind)) return false;
    this.follow(exchange.request, exchange.response);
    const load = () => (offerings ? this.creators.offerings(username) : this.creators.profile(username));
    if (!this.reads.isFull(exchange.url, kind)) this.#begin(exchange, kind, load);
    else
      this.reads.waitForPlace(kind, (isThere) => {
        // Whoever has gone meanwhile leaves the place to the next one.
        if (exchange.response.destroyed) return;
        // What is too much must cost next to nothing: no span and no line, of which the sample has enough.
        if (isThere) this.#begin(exchange, kind, load);
        else this.#sendRefusal(exchange, kind, tooMany);
      });
    return true;
  }

  #begin(exchange: Exchange, kind: ResponseKind, load: () => Promise<Read>): void {
    const { method, url: path, request } = exchange;
    const served = {
      method,
      path,
      scheme: schemeOf(request),
      route: kind.route,
      headers: request.headers,
      keptShare: this.sampled,
    } as const;
    asHttpServer(served, () => this.#answer(exchange, kind, load)).catch((error: unknown) => {
      this.logger.error(error);
      exchange.response.destroy();
    });
  }

  /** The status that was sent. */
  async #answer(exchange: Exchange, kind: ResponseKind, load: () => Promise<Read>): Promise<number> {
    try {
      const { key, found } = await load();
      const encoding = encodingOf(exchange);
      const form = found.answer.ready(encoding) ?? (await this.reads.formOf(key, found.answer, encoding));
      return this.#send(exchange, found, form);
    } catch (error) {
      return this.#refuse(exchange, kind, error);
    }
  }

  #send(exchange: Exchange, found: Found, form: Form): number {
    const { request, response, method } = exchange;
    const { status, headers, body } = negotiateResponse(found, form, request.headers['if-none-match']);
    response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
    this.#record(exchange, found.answer.kind, status);
    return status;
  }

  #refuse(exchange: Exchange, kind: ResponseKind, error: unknown): number {
    const refusal = toRefusal(error);
    if (refusal.code === 'internal') this.logger.error(error);
    const status = this.#sendRefusal(exchange, kind, refusal);
    const ms = Math.round((performance.now() - exchange.since) * 10) / 10;
    this.logger.log({ message: 'answered', method: exchange.method, route: kind.route, status, ms });
    return status;
  }

  #sendRefusal(exchange: Exchange, kind: ResponseKind, refusal: Refusal): number {
    const { request, response, method } = exchange;
    const { status, headers, body } = wholeProblemAnswer(
      refusal,
      kind.area,
      request.headers.accept,
      this.headers,
    );
    response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
    this.#record(exchange, kind, status);
    return status;
  }

  #mayPass({ request }: Exchange, { limits }: ResponseKind): boolean {
    if (this.isSampled()) return false;
    const address = this.isBehindProxy ? proxyAddress(request, this.trusted) : request.socket.remoteAddress;
    return this.limits.allow(request.socket, address ?? '', limits);
  }

  #record({ request, method, since }: Exchange, { route }: ResponseKind, status: number): void {
    recordHttpRequest({
      method,
      scheme: schemeOf(request),
      route,
      status,
      version: request.httpVersion,
      since,
    });
  }
}

/** Has `app` answer by the fast path what that takes. */
export function serveFast(app: NestFastifyApplication, follow: FollowAnswer): void {
  const fastPath = new FastPath(app, follow);
  let open = true;
  const server = app.getHttpServer() as Server;
  // On this server alone, and before the prototype's own, which is where instrumentation makes a span.
  const emit = server.emit.bind(server);
  server.emit = (event: string, ...values: unknown[]) => {
    if (event !== 'request' || !open) return emit(event, ...values);
    const [request, response] = values as [IncomingMessage, ServerResponse];
    return fastPath.takes(request, response) || emit(event, ...values);
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preClose', async () => {
      open = false;
    });
}

const schemeOf = ({ socket }: IncomingMessage) => ('encrypted' in socket ? 'https' : 'http');
const encodingOf = ({ request }: Exchange) =>
  acceptedEncoding(request.headers['accept-encoding']?.toString());

const isPlain = (headers: IncomingMessage['headers']) =>
  headers.authorization === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers.upgrade === undefined &&
  headers.range === undefined;
