import { limits, type Visit, type VisitForm, visits } from '@stoa/contracts';
import { Bus, EventBuffer } from '@stoa/messaging';
import { RateLimiter, shareLimits, subscriberNetwork } from '@stoa/platform';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { GatewayConfig } from '../gateway.config.ts';
import { VisitorHashes } from './visitor-hashes.ts';

/** Maximum number of visits in memory while NATS is down: about 10 MB. */
const bufferedVisits = 20_000;
/** Milliseconds to wait for NATS. The page does not wait for the response. */
const patienceMs = 1000;
const dayMs = 24 * 60 * 60_000;

type Asked = Pick<FastifyRequest, 'ip' | 'headers'>;

/** Whether the request comes from a browser of a person who has not opted out of tracking. */
export function isCounted({ headers }: Pick<Asked, 'headers'>): boolean {
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return false;
  // Only pages of this site may report visits.
  if (!['same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return false;
  return headers['user-agent'] !== undefined && !isbot(headers['user-agent']);
}

/** Publishes visits to be counted. A visit contains a hash of the visitor, never a network address. */
@Injectable()
export class VisitRecorder implements BeforeApplicationShutdown {
  private readonly buffer: EventBuffer<typeof visits.counted, Visit>;
  private readonly limiter: RateLimiter<'visitsOfDay' | 'referrersOfDay'>;
  private readonly endSharing: () => void;

  constructor(
    bus: Bus,
    private readonly hashes: VisitorHashes,
    config: GatewayConfig,
  ) {
    this.limiter = new RateLimiter(
      {
        visitsOfDay: { limit: config.VISIT_LIMIT_PER_DAY, periodMs: dayMs },
        referrersOfDay: { limit: limits.referrersPerAddress, periodMs: dayMs },
      },
      { secret: config.HASH_KEY },
    );
    this.endSharing = shareLimits(this.limiter, bus, config.SERVICE_NAME);
    this.buffer = new EventBuffer(bus.opened, {
      event: visits.counted,
      facts: (gathered) => ({ visits: [...gathered] }),
      batch: limits.visitBatch,
      capacity: bufferedVisits,
      patienceMs,
    });
  }

  /**
   * Returns true if the visit is stored or not to be counted, and false if it is only in memory. Each network address has two
   * daily limits per creator: one for visits, a lower one for visits with their referrer.
   */
  async record({ referrer, ...form }: VisitForm, { ip, headers }: Asked): Promise<boolean> {
    const source = `${subscriberNetwork(ip)} ${form.creatorId}`;
    if (!this.limiter.check('visitsOfDay', source).allowed) return true;
    const keepsReferrer = referrer !== undefined && this.limiter.check('referrersOfDay', source).allowed;
    const at = new Date();
    const visitor = { address: ip, userAgent: headers['user-agent'] ?? '' };
    return this.buffer.add({
      ...form,
      ...(keepsReferrer && { referrer }),
      at: at.toISOString(),
      visitor: await this.hashes.hash(visitor, form.creatorId, at),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endSharing();
    await this.buffer.stop();
  }
}
