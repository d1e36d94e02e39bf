import type { ContactMessage } from '@stoa/contracts';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PrismaPg } from '@prisma/adapter-pg';
import { ContactConfig } from './contact.config.ts';
import { PrismaClient } from './generated/prisma/client.ts';

@Injectable()
export class ContactRepository implements OnApplicationShutdown {
  private readonly prisma: PrismaClient;

  constructor({ DATABASE_URL, DATABASE_POOL }: ContactConfig) {
    this.prisma = new PrismaClient({
      adapter: new PrismaPg({ connectionString: DATABASE_URL, max: DATABASE_POOL }),
    });
  }

  async insert(message: ContactMessage): Promise<void> {
    await this.prisma.message.createMany({ data: [message], skipDuplicates: true });
  }

  /**
   * Takes the next unsent message and puts off its next try by `leaseMs`, so that no other replica sends it
   * meanwhile and a crash only delays it. Null when nothing is due.
   */
  async takeUnsent(leaseMs: number): Promise<ContactMessage | null> {
    const rows = await this.prisma.$queryRaw<ContactMessage[]>`
      UPDATE message SET attempts = attempts + 1,
             next_try_at = now() + least(${leaseMs}::float8 * power(2, least(attempts, 8)), 3600000) * interval '1 millisecond'
       WHERE id = (SELECT id FROM message WHERE mailed_at IS NULL AND next_try_at <= now()
                    ORDER BY next_try_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, name, email, subject, message`;
    return rows[0] ?? null;
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.message.update({ where: { id }, data: { mailedAt: new Date() } });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.prisma.$disconnect();
  }
}
