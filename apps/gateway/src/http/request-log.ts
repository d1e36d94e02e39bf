import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

const leftOut = new WeakSet<FastifyRequest>();

/** Keeps a request out of the log, because only a sample of cached responses is logged. */
export function leaveOutOfLog(request: FastifyRequest): void {
  leftOut.add(request);
}

/**
 * Logs one line for each response, except for files of the web app. It contains the route instead of the address, because
 * addresses contain names, search texts and delivery keys.
 */
export function logRequests(app: NestFastifyApplication): void {
  const logger = new Logger('Request');
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onResponse', async (request, reply) => {
      const { method, routeOptions } = request;
      const { url: route = 'none' } = routeOptions;
      if (route.startsWith('/assets/') || leftOut.has(request)) return;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      logger.log({ message: 'answered', method, route, status: reply.statusCode, ms });
    });
}
