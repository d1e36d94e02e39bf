import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/**
 * One line for each answer, by route template: addresses hold names, and query strings what people search for or
 * a delivery key. Built files are left out.
 */
export function logRequests(app: NestFastifyApplication): void {
  const logger = new Logger('Request');
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onResponse', async ({ method, routeOptions }, reply) => {
      const { url: route = 'none' } = routeOptions;
      if (route.startsWith('/assets/')) return;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      logger.log({ message: 'answered', method, route, status: reply.statusCode, ms });
    });
}
