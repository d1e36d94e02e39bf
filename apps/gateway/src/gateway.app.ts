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
import { takePlainForms } from './http/plain-forms.ts';
import { limitRates } from './http/rate-limits.ts';
import { countLateAnswers } from './http/late-answers.ts';
import { logRequests } from './http/request-log.ts';
import { setResponseHeaders } from './http/response-headers.ts';
import { logSecurityEvents } from './http/security-log.ts';
import { serveFast } from './reads/fast-path.ts';
import { serveFiles } from './pages/web-files.ts';

// The largest legitimate body is a profile, about 97 kB: a bio of 2000 emoji of up to 35 bytes, and 13 links of 2048 characters.
const bodyBytes = 128 * 1024;
/** A visit is some ids and a host. */
const visitBytes = 2048;
const requestMs = 40_000;
/** Connections that wait to be taken. Of what Node asks for, 511, a crowd loses the rest to the client's own retries, seconds later. */
const connectionBacklog = 4096;

/** The gateway, ready to listen. */
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
  // Only JSON is taken, and forms where a page without scripts posts one: anything else is 415.
  adapter.getInstance().removeContentTypeParser('text/plain');
  takePlainForms(adapter.getInstance());
  adapter.getInstance().addHook('onRoute', (route) => {
    if (route.url === '/api/visits') route.bodyLimit = visitBytes;
  });
  countLateAnswers(app);
  logRequests(app);
  logSecurityEvents(app);
  setResponseHeaders(app);
  const followAnswer = answerEarlyErrors(app);
  limitRates(app);
  answerMethodNotAllowed(app, isPage);
  // All that a request asks of services shares one time, from its arrival on.
  adapter.getInstance().addHook('preHandler', ({ method }, reply, next) => {
    const isRead = method === 'GET' || method === 'HEAD';
    withBudget(reply.elapsedTime, next, isRead ? config.READ_TIMEOUT_MS : undefined);
  });
  await app.register(etag, { weak: true });
  await app.register(compress, { encodings: ['br', 'gzip'], threshold: 1024 });
  serveFast(app, followAnswer);
  adapter.getInstance().addHook('preClose', async () => closeIdleConnections(app.getHttpServer()));
  await serveFiles(app, config.WEB_ROOT);
  if (config.API_DOCS === 'on') serveDocs(app);
  return app;
}

/** Starts the gateway without taking over the process's signals. */
export async function runGateway(): Promise<RunningApp> {
  const app = await createGateway();
  const config = app.get(GatewayConfig);
  await app.listen({ port: config.PORT, host: config.BIND_ADDRESS, backlog: connectionBacklog });
  // Nest's close() stops listening and waits for the answers under way.
  return withGracefulShutdown(app, async () => undefined);
}
