import { DeadLinkFacts } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import type { PrismaClient } from './generated/prisma/client.ts';

const Links = DeadLinkFacts.shape.links;

/** Dead links that their creator is to be told of, and to whom that goes. */
export type DueDeadLinkMail = Pick<DeadLinkFacts, 'id' | 'links'> & {
  readonly attempts: number;
  readonly address: string;
};

type Row = Omit<DueDeadLinkMail, 'links'> & { links: unknown };

/** The mails about dead links, each a row until the mail server has taken it. */
export class DeadLinkMails {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes what is to be told. An account that is gone, or about to go, is told nothing. */
  async record({ id, uid, links }: DeadLinkFacts, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      await tx.deadLinkMail.createMany({ data: [{ id, uid, links }], skipDuplicates: true });
    });
  }

  /**
   * Takes a mail that is due, of one account the earliest alone, and puts off its next try by `leaseMs`. Only a proved address gets mail; what could not be sent
   * within a week is old news, and stands on the dashboard if it is still so.
   */
  async takeDue(leaseMs: number): Promise<DueDeadLinkMail | null> {
    await this.prisma.$executeRaw`
      DELETE FROM dead_link_mail
       WHERE made_at < now() - interval '7 days'
          OR NOT EXISTS (SELECT 1 FROM account WHERE account.uid = dead_link_mail.uid)`;
    const [due] = await this.prisma.$queryRaw<Row[]>`
      UPDATE dead_link_mail SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM account
       WHERE account.uid = dead_link_mail.uid AND dead_link_mail.id = (
               SELECT due.id FROM dead_link_mail AS due JOIN account USING (uid)
                WHERE due.next_try_at < now() + interval '1 millisecond' AND proved_email IS NOT NULL
                  AND NOT EXISTS (SELECT 1 FROM dead_link_mail AS earlier
                       WHERE earlier.uid = due.uid AND (earlier.made_at, earlier.id) < (due.made_at, due.id))
                ORDER BY due.next_try_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      RETURNING dead_link_mail.id, links, attempts, proved_email AS address`;
    return due ? { ...due, links: Links.parse(due.links) } : null;
  }

  async retryIn(id: string, ms: number): Promise<void> {
    // By the database's clock, as it is taken again.
    await this.prisma.$executeRaw`
      UPDATE dead_link_mail SET next_try_at = now() + ${ms}::float8 * interval '1 millisecond' WHERE id = ${id}::uuid`;
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.deadLinkMail.deleteMany({ where: { id } });
  }
}
