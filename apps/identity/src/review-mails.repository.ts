import { Guideline, type ReviewFacts } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import { type AddressedMail, DueMails } from './due-mails.repository.ts';
import type { PrismaClient } from './generated/prisma/client.ts';

interface Content extends Pick<ReviewFacts, 'reason' | 'text'> {
  readonly outcome: string;
  /** Of the offering; null for the profile. */
  readonly title: string | null;
  readonly username: string;
}

type Row = Omit<Content, 'reason'> & { readonly reason: string | null };

/** A decision that its creator is to be told. */
export type DueReviewMail = AddressedMail & Content;

const KnownReason = Guideline.nullable().catch(null);

/** The mails about what operators decided. Whose address is not proved within thirty days finds it on the dashboard alone. */
export class ReviewMails extends DueMails<Row, Content> {
  constructor(prisma: PrismaClient) {
    super(prisma, {
      table: 'review_mail',
      keptDays: 30,
      columns: ['outcome', 'title', 'reason', 'text', 'username'],
      read: ({ reason, ...rest }) => ({ ...rest, reason: KnownReason.parse(reason) }),
    });
  }

  /** Notes a decision. An account that is gone, or about to go, is told nothing. */
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
