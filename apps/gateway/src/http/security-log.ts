import { type Caller, deliveryKeyHeader } from '@stoa/contracts';
import { subscriberNetwork } from '@stoa/platform';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { createHmac } from 'node:crypto';
import { GatewayConfig } from '../gateway.config.ts';

type SecurityEvent =
  | 'access refused'
  | 'record refused'
  | 'key refused'
  | 'too many requests'
  | 'session opened'
  | 'sessions ended';

/** Characters of the hash: enough to distinguish the callers of a day, too few to identify one of them. */
const digestLength = 12;

/**
 * Logs one line for each refusal, log-in and ended session, with the route. Account and network are keyed hashes, so a new
 * HASH_KEY changes them all.
 */
export function logSecurityEvents(app: NestFastifyApplication): void {
  const logger = new Logger('Security');
  const { HASH_KEY } = app.get(GatewayConfig);
  const hash = (kind: string, value: string) =>
    createHmac('sha256', HASH_KEY).update(`log ${kind} ${value}`).digest('base64url').slice(0, digestLength);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onResponse', async (request, reply) => {
      const event = securityEventOf(request, reply.statusCode);
      if (!event) return;
      const { user } = request as { user?: Caller };
      const line = {
        message: event,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        from: hash('network', subscriberNetwork(request.ip)),
        ...(user && { who: hash('account', user.uid) }),
      };
      if (reply.statusCode < 400) logger.log(line);
      else logger.warn(line);
    });
}

function securityEventOf(request: FastifyRequest, status: number): SecurityEvent | undefined {
  const { url: route = '' } = request.routeOptions;
  const { user } = request as { user?: Caller };
  if (status === 429) return 'too many requests';
  const refused = status === 403 || status === 404;
  const isOfDownload = route.startsWith('/api/downloads/');
  // These entries reveal callers that guess ids or keys.
  if (refused && isOfDownload && request.headers[deliveryKeyHeader] !== undefined) return 'key refused';
  if (refused && (user || isOfDownload) && route.includes(':')) return 'record refused';
  if (status === 401 || status === 403) return 'access refused';
  if (status < 300 && route === '/api/session') return 'session opened';
  if (status < 300 && request.method !== 'GET' && route.startsWith('/api/account/s')) return 'sessions ended';
  return undefined;
}
