import { DeadLinkFacts } from '@stoa/contracts';
import { claimFirstDelivery } from '@stoa/messaging';
import { type AddressedMail, DueMails } from './due-mails.repository.ts';
import type { PrismaClient } from './generated/prisma/client.ts';

const Links = DeadLinkFacts.shape.links;

type Content = Pick<DeadLinkFacts, 'links'>;

/** Dead links that their creator is to be told of. */
export type DueDeadLinkMail = AddressedMail & Content;

/** The mails about dead links. What could not be sent within a week stands on the dashboard if it is still so. */
export class DeadLinkMails extends DueMails<{ links: unknown }, Content> {
  constructor(prisma: PrismaClient) {
    super(prisma, {
      table: 'dead_link_mail',
      keptDays: 7,
      columns: ['links'],
      read: ({ links }) => ({ links: Links.parse(links) }),
    });
  }

  /** Notes what is to be told. An account that is gone, or about to go, is told nothing. */
  async record({ id, uid, links }: DeadLinkFacts, eventId: string): Promise<void> {
    await this.prisma.$transaction(async (tx) => {
      if (!(await claimFirstDelivery(tx, eventId))) return;
      if (await tx.accountDeletion.findUnique({ where: { uid } })) return;
      if (!(await tx.account.findUnique({ where: { uid } }))) return;
      await tx.deadLinkMail.createMany({ data: [{ id, uid, links }], skipDuplicates: true });
    });
  }
}
