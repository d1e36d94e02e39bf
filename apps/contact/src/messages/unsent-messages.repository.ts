import { type LeasedRow, Leases } from '@stoa/platform';
import { Injectable } from '@nestjs/common';
import type { StoredMessage } from './contact.repository.ts';
import { Database } from '../database.ts';

export type UnsentMessage = Omit<StoredMessage, 'sender' | 'network'> & LeasedRow;

const open = 'mailed_at IS NULL AND NOT held';
// Limits the rows that each export of metrics reads when many messages wait.
const countedMessages = 10_000;

/** Leases unsent messages to this replica, so that no other replica mails them at the same time. */
@Injectable()
export class UnsentMessages extends Leases<UnsentMessage> {
  constructor(private readonly prisma: Database) {
    super(prisma, { table: 'message', open, columns: 'name, email, subject, message, "to"' });
  }

  /**
   * Records a permanent rejection by the mail server. A later outage of the server does not clear the mark.
   */
  async markRefused(id: string): Promise<void> {
    await this.prisma.message.updateMany({ where: { id }, data: { refused: true } });
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.message.updateMany({ where: { id }, data: { mailedAt: new Date() } });
  }

  /**
   * Age in seconds of the oldest unsent message; 0 if none waits. Rejected messages count only if they go to
   * the operator, because then all mail to the operator is lost.
   */
  async oldestAge(): Promise<number> {
    const [oldest] = await this.prisma.$queryRaw<{ age: number }[]>`
      SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS age
        FROM (SELECT received_at FROM message
               WHERE mailed_at IS NULL AND NOT held AND (creator_id IS NULL OR NOT refused)
               ORDER BY next_try_at LIMIT ${countedMessages}) AS waiting`;
    return oldest?.age ?? 0;
  }
}
