import { isPage } from '@stoa/contracts';
import 'reflect-metadata';
import {
  closeIdleConnections,
  withGracefulShutdown,
  serverOptions,
  type RunningApp,
  trustedProxies,
  useLogger,
} from '@stoa/platform';
import { withBudget } from '@stoa/messaging';
import compress from '@fastify/compress';
import etag from '@fastify/etag';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { answerMethodNotAllowed } from './http/allowed-methods.ts';
import { answerEarlyErrors } from './http/early-errors.ts';
import { GatewayConfig } from './gateway.config.ts';
import { GatewayModule } from './gateway.module.ts';
import { serveDocs } from './api/openapi.ts';
import { answerFrameworkError } from './http/problem.filter.ts';
import { withKeyOf } from './http/idempotency-key.ts';
import { takePlainForms } from './http/plain-forms.ts';
import { limitRates } from './http/rate-limits.ts';
import { countLateAnswers } from './http/late-answers.ts';
import { logRequests } from './http/request-log.ts';
import { setResponseHeaders } from './http/response-headers.ts';
import { logSecurityEvents } from './http/security-log.ts';
import { serveFast } from './reads/fast-path.ts';
import { serveFiles } from './pages/web-files.ts';

// The largest valid body is a profile of about 97 kB: 2000 emoji of up to 35 bytes, and 13 links of 2048 characters.
const bodyBytes = 128 * 1024;
/** The largest valid body of a visit contains a few ids and a host name. */
const visitBytes = 2048;
const requestMs = 40_000;
/** Connections that may wait to be accepted. A crowd exceeds Node's default of 511, and clients then retry seconds later. */
const connectionBacklog = 4096;

/** Creates the gateway, so that it only has to listen. */
async function createGateway(): Promise<NestFastifyApplication> {
  const settings = new GatewayConfig();
  const adapter = new FastifyAdapter({
    ...serverOptions(settings),
    bodyLimit: bodyBytes,
    trustProxy: trustedProxies(settings),
    requestTimeout: requestMs,
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: true },
    frameworkErrors: answerFrameworkError,
  });
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule, adapter, {
    bufferLogs: true,
    bodyParser: false,
  });
  useLogger(app);
  const config = app.get(GatewayConfig);
  // The gateway accepts JSON everywhere, and HTML forms on pages that work without scripts. Other types get 415.
  adapter.getInstance().removeContentTypeParser('text/plain');
  takePlainForms(adapter.getInstance());
  adapter.getInstance().addHook('onRoute', (route) => {
    if (route.url === '/api/visits') route.bodyLimit = visitBytes;
  });
  countLateAnswers(app);
  logRequests(app);
  logSecurityEvents(app);
  setResponseHeaders(app);
  answerEarlyErrors(app);
  limitRates(app);
  answerMethodNotAllowed(app, isPage);
  // All calls to services for one request share a deadline, counted from the arrival of the request.
  adapter.getInstance().addHook('preHandler', (request, reply, next) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const goOn = () => withKeyOf(request, next);
    withBudget(reply.elapsedTime, goOn, isRead ? config.READ_TIMEOUT_MS : undefined);
  });
  await app.register(etag, { weak: true });
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 });
  serveFast(app);
  adapter.getInstance().addHook('preClose', async () => closeIdleConnections(app.getHttpServer()));
  await serveFiles(app, config.WEB_ROOT);
  if (config.API_DOCS === 'on') serveDocs(app);
  return app;
}

/** Starts the gateway. The caller decides on which signals to stop it. */
export async function runGateway(): Promise<RunningApp> {
  const app = await createGateway();
  const config = app.get(GatewayConfig);
  await app.listen({ port: config.PORT, host: config.BIND_ADDRESS, backlog: connectionBacklog });
  // `close` of Nest accepts no new connections and waits for responses in progress.
  return withGracefulShutdown(app, async () => undefined);
}
