import type { ContactMessage } from '@stoa/contracts';
import { poolOptions } from '@stoa/platform';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { ContactConfig } from './contact.config.ts';
import { PrismaClient } from './generated/prisma/client.ts';

/** A message on its way, and how often it was tried, this time included. */
export type Unsent = ContactMessage & { attempts: number };

@Injectable()
export class ContactRepository implements OnApplicationShutdown {
  private readonly prisma: PrismaClient;

  constructor(config: ContactConfig) {
    this.prisma = new PrismaClient({
      adapter: new PrismaPg(poolOptions(config)),
      // The long form prints what a query was given.
      errorFormat: 'minimal',
    });
  }

  async insert(message: ContactMessage): Promise<void> {
    await this.prisma.message.createMany({ data: [message], skipDuplicates: true });
  }

  /**
   * Takes the next unsent message and puts off its next try by `leaseMs`, so that no other replica sends it
   * meanwhile and a crash only delays it. Null when nothing is due.
   */
  async takeUnsent(leaseMs: number): Promise<Unsent | null> {
    const rows = await this.prisma.$queryRaw<Unsent[]>`
      UPDATE message SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
       WHERE id = (SELECT id FROM message WHERE mailed_at IS NULL AND next_try_at <= now()
                    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, name, email, subject, message, attempts`;
    return rows[0] ?? null;
  }

  async retryIn(id: string, ms: number): Promise<void> {
    await this.prisma.message.update({ where: { id }, data: { nextTryAt: new Date(Date.now() + ms) } });
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.message.update({ where: { id }, data: { mailedAt: new Date() } });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}
