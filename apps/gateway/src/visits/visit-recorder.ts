import { limits, type Visit, type VisitForm, visits } from '@stoa/contracts';
import { Bus, EventBuffer } from '@stoa/messaging';
import { RateLimiter, shareLimits, subscriberNetwork } from '@stoa/platform';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { GatewayConfig } from '../gateway.config.ts';
import { VisitorHashes } from './visitor-hashes.ts';

/** Visits that memory holds while NATS is away: about 10 MB. */
const keptVisits = 20_000;
/** Nothing on the page waits for the answer. */
const patienceMs = 1000;
const dayMs = 24 * 60 * 60_000;

type Asked = Pick<FastifyRequest, 'ip' | 'headers'>;

/** Whether this request is a person's who has not asked to be left out of counts. */
export function isCounted({ headers }: Pick<Asked, 'headers'>): boolean {
  if (headers.dnt === '1' || headers['sec-gpc'] === '1') return false;
  // Our own pages alone report what happens on them.
  if (!['same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return false;
  return headers['user-agent'] !== undefined && !isbot(headers['user-agent']);
}

/** Takes visits to be counted and hands them on, without anybody's address in them. */
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
    this.endSharing = shareLimits(this.limiter, bus, config.NATS_USER);
    this.buffer = new EventBuffer(bus.opened, {
      event: visits.counted,
      facts: (gathered) => ({ visits: [...gathered] }),
      batch: limits.visitBatch,
      most: keptVisits,
      patienceMs,
    });
  }

  /**
   * Whether it is dealt with for good; otherwise memory has it until NATS is back. One address makes up no more than a share
   * of a creator's numbers: beyond that its visits are left out, and before that its referrers are.
   */
  async record({ referrer, ...form }: VisitForm, { ip, headers }: Asked): Promise<boolean> {
    const source = `${subscriberNetwork(ip)} ${form.creatorId}`;
    if (!this.limiter.check('visitsOfDay', source).allowed) return true;
    const isNoted = referrer !== undefined && this.limiter.check('referrersOfDay', source).allowed;
    const at = new Date();
    const visitor = { address: ip, userAgent: headers['user-agent'] ?? '' };
    return this.buffer.add({
      ...form,
      ...(isNoted && { referrer }),
      at: at.toISOString(),
      visitor: await this.hashes.hash(visitor, form.creatorId, at),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.endSharing();
    await this.buffer.stop();
  }
}
