import { DeadLinkFacts } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { Database } from '../database.ts';
import { type AddressedMail, DueMails } from '../mails/due-mails.repository.ts';

const Links = DeadLinkFacts.shape.links;

type Content = Pick<DeadLinkFacts, 'links'>;

export type DueDeadLinkMail = AddressedMail & Content;

/** Mails about dead links. They expire after a week, because the dashboard shows dead links anyway. */
@Injectable()
export class DeadLinkMails extends DueMails<Content> {
  constructor(prisma: Database) {
    super(prisma, { table: 'dead_link_mail', keptDays: 7, columns: 'links' });
  }

  override async take(leaseMs: number): Promise<DueDeadLinkMail | null> {
    const mail = await super.take(leaseMs);
    return mail && { ...mail, links: Links.parse(mail.links) };
  }

  /** Stores a mail, unless the account is deleted or being deleted. */
  async record({ id, uid, links }: DeadLinkFacts, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))) return;
      await tx.deadLinkMail.createMany({ data: [{ id, uid, links }], skipDuplicates: true });
    });
  }
}
