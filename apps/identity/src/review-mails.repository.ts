import { Guideline, type ReviewFacts } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import type { PrismaClient } from './generated/prisma/client.ts';

/** A decision that its creator is to be told, and to whom that goes. */
export type DueReviewMail = Pick<ReviewFacts, 'id' | 'reason' | 'text'> & {
  readonly outcome: string;
  /** Of the offering; null for the profile. */
  readonly title: string | null;
  readonly attempts: number;
  readonly address: string;
  readonly username: string;
};

type Row = Omit<DueReviewMail, 'reason'> & { reason: string | null };

const KnownReason = Guideline.nullable().catch(null);

/** The mails about what operators decided, each a row until the mail server has taken it. */
export class ReviewMails {
  constructor(private readonly prisma: PrismaClient) {}

  /** Notes a decision. An account that is gone, or about to go, is told nothing. */
  async record({ uid, offering, at, ...decided }: ReviewFacts, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      const title = offering?.title ?? null;
      await tx.reviewMail.createMany({
        data: [{ ...decided, uid, title, madeAt: at }],
        skipDuplicates: true,
      });
    });
  }

  /**
   * Takes a mail that is due, of one account the earliest alone, and puts off its next try by `leaseMs`. Only a proved address gets mail: one that is not proved within
   * thirty days finds it on the dashboard alone. What nobody can be told any more goes.
   */
  async takeDue(leaseMs: number): Promise<DueReviewMail | null> {
    await this.prisma.$executeRaw`
      DELETE FROM review_mail
       WHERE made_at < now() - interval '30 days'
          OR NOT EXISTS (SELECT 1 FROM account WHERE account.uid = review_mail.uid)`;
    const [due] = await this.prisma.$queryRaw<Row[]>`
      UPDATE review_mail SET attempts = attempts + 1,
             next_try_at = now() + ${leaseMs}::float8 * interval '1 millisecond'
        FROM account
       WHERE account.uid = review_mail.uid AND review_mail.id = (
               SELECT due.id FROM review_mail AS due JOIN account USING (uid)
                WHERE due.next_try_at < now() + interval '1 millisecond' AND proved_email IS NOT NULL
                  AND NOT EXISTS (SELECT 1 FROM review_mail AS earlier
                       WHERE earlier.uid = due.uid AND (earlier.made_at, earlier.id) < (due.made_at, due.id))
                ORDER BY due.next_try_at, due.id LIMIT 1 FOR UPDATE OF due SKIP LOCKED)
      RETURNING review_mail.id, outcome, title, reason, text, attempts, proved_email AS address, username`;
    return due ? { ...due, reason: KnownReason.parse(due.reason) } : null;
  }

  async retryIn(id: string, ms: number): Promise<void> {
    // By the database's clock, as it is taken again.
    await this.prisma.$executeRaw`
      UPDATE review_mail SET next_try_at = now() + ${ms}::float8 * interval '1 millisecond' WHERE id = ${id}::uuid`;
  }

  async markMailed(id: string): Promise<void> {
    await this.prisma.reviewMail.deleteMany({ where: { id } });
  }
}
