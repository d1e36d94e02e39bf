import { Guideline, type ReviewFacts } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import { type AddressedMail, DueMails, accountColumn } from '../mails/due-mails.repository.ts';

interface Content extends Pick<ReviewFacts, 'reason' | 'text'> {
  readonly outcome: string;
  /** Title of the offering that the decision is about; null if it is about the profile. */
  readonly title: string | null;
  readonly username: string;
}

export type DueReviewMail = AddressedMail & Content;

const KnownReason = Guideline.nullable().catch(null);

/** Mails about operators' decisions. They expire after 30 days; the dashboard shows the decision anyway. */
@Injectable()
export class ReviewMails extends DueMails<Content> {
  constructor(prisma: Database) {
    const columns = `outcome, title, reason, text, ${accountColumn('username')}`;
    super(prisma, { table: 'review_mail', keptDays: 30, columns });
  }

  override async take(leaseMs: number): Promise<DueReviewMail | null> {
    const mail = await super.take(leaseMs);
    return mail && { ...mail, reason: KnownReason.parse(mail.reason) };
  }

  /** Stores a mail, unless the account is deleted or being deleted. */
  async record({ uid, offering, at, ...decided }: ReviewFacts, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))) return;
      const title = offering?.title ?? null;
      await tx.reviewMail.createMany({
        data: [{ ...decided, uid, title, madeAt: at }],
        skipDuplicates: true,
      });
    });
  }
}
