import { limits, type Visit, type VisitForm, visits } from '@stoa/contracts';
import { Bus, EventBuffer } from '@stoa/messaging';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isbot } from 'isbot';
import { VisitorHashes } from './visitor-hashes.ts';

/** Visits that memory holds while NATS is away: about 10 MB. */
const keptVisits = 20_000;
/** Nothing on the page waits for the answer. */
const patienceMs = 1000;

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

  constructor(
    bus: Bus,
    private readonly hashes: VisitorHashes,
  ) {
    this.buffer = new EventBuffer(bus.opened, {
      event: visits.counted,
      facts: (gathered) => ({ visits: [...gathered] }),
      batch: limits.visitBatch,
      most: keptVisits,
      patienceMs,
    });
  }

  /** Whether it is sure to be counted by now; otherwise memory has it until NATS is back. */
  async record(form: VisitForm, { ip, headers }: Asked): Promise<boolean> {
    const at = new Date();
    const visitor = { address: ip, userAgent: headers['user-agent'] ?? '' };
    return this.buffer.add({
      ...form,
      at: at.toISOString(),
      visitor: await this.hashes.hash(visitor, form.creatorId, at),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.buffer.stop();
  }
}
