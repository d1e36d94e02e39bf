import { withBudget } from '@stoa/messaging';
import { recordHttpRequest, unobserveIncoming } from '@stoa/telemetry';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { GatewayConfig } from '../gateway.config.ts';
import { endWait } from '../http/late-answers.ts';
import { leaveOutOfLog } from '../http/request-log.ts';
import { acceptedEncoding } from './accepted-encoding.ts';
import type { Representation } from './cached-response.ts';
import { CreatorReads } from './creator-reads.ts';
import { type CachedAnswer, PublicReads } from './public-reads.ts';
import { negotiateResponse, sendResponse } from './send-response.ts';
import { tracedSample } from './traced-sample.ts';

/** The canonical address of a profile or of its offerings. */
const creatorAddress = /^\/api\/creators\/([a-z\d_-]{1,60})(\/offerings)?$/;

/**
 * Answers plain public reads before Nest handles them, which saves CPU time. The same limits and headers apply as for other
 * requests. Only a sample of the responses from the cache is traced and logged.
 */
export function serveFast(app: NestFastifyApplication): void {
  const config = app.get(GatewayConfig);
  const reads = app.get(PublicReads);
  const creators = app.get(CreatorReads);
  const isSampled = tracedSample(config);
  const fast = new WeakMap<IncomingMessage, boolean>();

  const fromMemory = (
    request: IncomingMessage,
  ): { found: CachedAnswer; representation: Representation } | undefined => {
    const found = isPlain(request) ? reads.peek(request.url ?? '') : undefined;
    const representation = found?.answer.ready(encodingOf(request));
    return found && representation && { found, representation };
  };
  /** Decides once for each request, before the HTTP instrumentation would start a trace. */
  const isFast = (request: IncomingMessage) => {
    const known = fast.get(request) ?? (fromMemory(request) !== undefined && !isSampled());
    fast.set(request, known);
    return known;
  };
  unobserveIncoming(isFast);

  const answerFromMemory = (
    request: FastifyRequest,
    reply: FastifyReply,
    found: CachedAnswer,
    representation: Representation,
  ) => {
    const { status, headers, body } = negotiateResponse(
      found,
      representation,
      request.headers['if-none-match'],
    );
    leaveOutOfLog(request);
    endWait(request);
    reply.hijack();
    reply.raw.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
    recordHttpRequest({
      method: request.method,
      scheme: 'encrypted' in request.socket ? 'https' : 'http',
      route: found.answer.kind.route,
      status,
      version: request.raw.httpVersion,
      since: performance.now() - reply.elapsedTime,
    });
  };
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', (request, reply, next) => {
      const known = isFast(request.raw) ? fromMemory(request.raw) : undefined;
      if (known) return answerFromMemory(request, reply, known.found, known.representation);
      const [, username, offerings] = (isPlain(request.raw) && creatorAddress.exec(request.url)) || [];
      if (username === undefined) return next();
      const answer = async () => {
        const { key, found } = await (offerings ? creators.offerings(username) : creators.profile(username));
        await sendResponse(reads, key, found, request, reply);
      };
      withBudget(reply.elapsedTime, answer, config.READ_TIMEOUT_MS).catch(next);
    });
}

const encodingOf = ({ headers }: IncomingMessage) => acceptedEncoding(headers['accept-encoding']?.toString());

const isPlain = ({ method, headers }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') &&
  headers.authorization === undefined &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers.upgrade === undefined &&
  headers.range === undefined;
