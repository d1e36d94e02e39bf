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

/** Which limits a route counts against, where its address does not say it. */
export const Limited = (...limits: LimitName[]) => withSettings({ limits });

/**
 * How often one network address may ask, over all replicas. Against floods and guessing only: what one person may do in an
 * hour is a rule of the service that owns the data.
 */
@Injectable()
export class RateLimits implements BeforeApplicationShutdown {
  private readonly limiter: RateLimiter<LimitName>;
  /** Who asked last over a connection. An address is read and hashed once for it, and forgotten with it. */
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
    this.endSharing = shareLimits(this.limiter, bus, config.NATS_USER);
  }

  /** @throws Refusal that says when to come back, for an address that asked too often. */
  count(request: FastifyRequest): void {
    this.countAs(request, limitsOf(request));
  }

  /** The same against further limits, where only the address says what a request costs. */
  countAs(request: FastifyRequest, names: readonly LimitName[]): void {
    const network = subscriberNetwork(request.ip);
    for (const name of names) {
      const { allowed, retryAfter } = this.limiter.check(name, network);
      if (!allowed) throw rateLimited('Too many requests. Please try again in a minute.', retryAfter);
    }
  }

  /** Counts a request from `address` that came over `connection`, and says whether it may pass. */
  allow(connection: object, address: string, limits: readonly LimitName[]): boolean {
    const { network } = this.senderOf(connection, address);
    return limits.every((name) => this.limiter.check(name, network).allowed);
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

/** Counts every request before anything else looks at it, those for files and unknown addresses too. */
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
  // By the route that was found: an address may be written in many ways.
  const path = request.routeOptions.url ?? request.url;
  return path.startsWith('/api/') && !path.startsWith('/api/docs') ? ['api'] : ['page'];
}
