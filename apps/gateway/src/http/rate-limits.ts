import { Bus, rateLimited } from '@stoa/messaging';
import { KnownKey, RateLimiter, shareLimits, subscriberNetwork } from '@stoa/platform';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { GatewayConfig } from '../gateway.config.ts';
import { type LimitName, settingsOf, withSettings } from './route-settings.ts';

interface Sender {
  readonly address: string;
  readonly network: KnownKey;
}

/** Sets the rate limits of a route, which replace the default for its address. */
export const Limited = (...limits: LimitName[]) => withSettings({ limits });

/**
 * Counts requests by network address; all replicas share the counts. These limits only stop floods and guessing. The services
 * enforce limits per account.
 */
@Injectable()
export class RateLimits implements BeforeApplicationShutdown {
  private readonly limiter: RateLimiter<LimitName>;
  /** The network address of each connection, so that it is parsed and hashed only once. */
  private readonly senders = new WeakMap<object, Sender>();
  private readonly endSharing: () => void;

  constructor(config: GatewayConfig, bus: Bus) {
    const periodMs = 60_000;
    this.limiter = new RateLimiter(
      {
        api: { limit: config.RATE_LIMIT_PER_MINUTE, periodMs },
        download: { limit: config.DOWNLOAD_LIMIT_PER_MINUTE, periodMs },
        page: { limit: config.PAGE_LIMIT_PER_MINUTE, periodMs },
        visit: { limit: config.VISIT_LIMIT_PER_MINUTE, periodMs },
        report: { limit: config.REPORT_LIMIT_PER_HOUR, periodMs: 60 * periodMs },
      },
      { secret: config.HASH_KEY },
    );
    this.endSharing = shareLimits(this.limiter, bus, config.SERVICE_NAME);
  }

  /** Counts the request. @throws Refusal with `retryAfter` if the address has reached a limit */
  count(request: FastifyRequest): void {
    this.countAs(request, limitsOf(request));
  }

  /** Counts the request against further limits, for routes whose cost depends on the query. */
  countAs(request: FastifyRequest, names: readonly LimitName[]): void {
    const { network } = this.senderOf(request.socket, request.ip);
    for (const name of names) {
      const { allowed, retryAfter } = this.limiter.check(name, network);
      if (!allowed) throw rateLimited('Too many requests. Please try again in a minute.', retryAfter);
    }
  }

  private senderOf(connection: object, address: string): Sender {
    const known = this.senders.get(connection);
    if (known?.address === address) return known;
    const sender = { address, network: new KnownKey(subscriberNetwork(address)) };
    this.senders.set(connection, sender);
    return sender;
  }

  beforeApplicationShutdown(): void {
    this.endSharing();
  }
}

/** Counts every request before it is handled, also those for files and unknown addresses. */
export function limitRates(app: NestFastifyApplication): void {
  const limits = app.get(RateLimits);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request) => limits.count(request));
}

function limitsOf(request: FastifyRequest): readonly LimitName[] {
  const { limits } = settingsOf(request);
  if (limits) return limits;
  // Uses the matched route, because one address can be spelled in several ways.
  const path = request.routeOptions.url ?? request.url;
  return path.startsWith('/api/') && !path.startsWith('/api/docs') ? ['api'] : ['page'];
}
