import {
  contact,
  type CreatorFacts,
  creators,
  type DeadLinkFacts,
  type ErasedAccount,
  type Facts,
  type LinkChangeFacts,
  media,
  offerings,
  type ReviewFacts,
} from '@stoa/contracts';
import { type Delivery, Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { AccountDeletions, type ErasingService } from '../deletion/account-deletions.repository.ts';
import { DeadLinkMails } from '../notices/dead-link-mails.repository.ts';
import { ExportMails } from '../notices/export-mails.repository.ts';
import { IdentityRepository } from './identity.repository.ts';
import { LinkChanges } from '../recovery/link-changes.repository.ts';
import { ReviewMails } from '../notices/review-mails.repository.ts';

/**
 * Handles the events of other services. Each handler is idempotent, because NATS may deliver an event twice.
 */
@Injectable()
export class IdentityListener {
  constructor(
    private readonly accounts: IdentityRepository,
    private readonly deletions: AccountDeletions,
    private readonly exportMails: ExportMails,
    private readonly linkChanges: LinkChanges,
    private readonly reviewMails: ReviewMails,
    private readonly deadLinkMails: DeadLinkMails,
  ) {}

  @Listens(creators.erased)
  creatorErased(account: ErasedAccount) {
    return this.#note('creators', account);
  }

  @Listens(offerings.erased)
  offeringsErased(account: ErasedAccount) {
    return this.#note('offerings', account);
  }

  @Listens(media.erased)
  mediaErased(account: ErasedAccount) {
    return this.#note('media', account);
  }

  @Listens(media.exportEnded)
  exportEnded(ended: Facts<typeof media.exportEnded>, { id }: Delivery): Promise<void> {
    return this.exportMails.record(ended, id);
  }

  @Listens(offerings.paymentsMoved, creators.paymentsMoved)
  paymentsMoved(change: LinkChangeFacts, { id }: Delivery): Promise<void> {
    return this.linkChanges.record(change, id);
  }

  @Listens(creators.reviewed)
  reviewed(decided: ReviewFacts, { id }: Delivery): Promise<void> {
    return this.reviewMails.record(decided, id);
  }

  @Listens(creators.opened, creators.changed)
  named(profile: CreatorFacts) {
    return this.accounts.recordName(profile);
  }

  @Listens(contact.linksDied)
  linksDied(died: DeadLinkFacts, { id }: Delivery): Promise<void> {
    return this.deadLinkMails.record(died, id);
  }

  @Listens(contact.erased)
  messagesErased(account: ErasedAccount) {
    return this.#note('contact', account);
  }

  #note(service: ErasingService, { uid, counts, sales }: ErasedAccount): Promise<void> {
    return this.deletions.recordErased(service, uid, { ...counts, ...(sales !== undefined && { sales }) });
  }
}
