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
import { AccountDeleter } from './account-deleter.ts';
import type { ErasingService } from './account-deletions.repository.ts';
import { ChangeMailer } from './change-mailer.ts';
import { DeadLinkMailer } from './dead-link-mailer.ts';
import { ExportMailer } from './export-mailer.ts';
import { IdentityRepository } from './identity.repository.ts';
import { ReviewMailer } from './review-mailer.ts';

/**
 * Follows what each service has let go of, what became of exports, that payments go elsewhere, what operators decided, which links
 * are dead, and what owners are called. A second delivery changes nothing.
 */
@Injectable()
export class IdentityListener {
  constructor(
    private readonly accounts: IdentityRepository,
    private readonly deleter: AccountDeleter,
    private readonly exportMailer: ExportMailer,
    private readonly changeMailer: ChangeMailer,
    private readonly reviewMailer: ReviewMailer,
    private readonly deadLinkMailer: DeadLinkMailer,
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
  async exportEnded(ended: Facts<typeof media.exportEnded>, { id }: Delivery): Promise<void> {
    await this.accounts.exportMails.record(ended, id);
    this.exportMailer.wake();
  }

  @Listens(offerings.paymentsMoved, creators.paymentsMoved)
  async paymentsMoved(change: LinkChangeFacts, { id }: Delivery): Promise<void> {
    await this.accounts.linkChanges.record(change, id);
    this.changeMailer.wake();
  }

  @Listens(creators.reviewed)
  async reviewed(decided: ReviewFacts, { id }: Delivery): Promise<void> {
    await this.accounts.reviewMails.record(decided, id);
    this.reviewMailer.wake();
  }

  @Listens(creators.opened, creators.changed)
  named(profile: CreatorFacts) {
    return this.accounts.recordName(profile);
  }

  @Listens(contact.linksDied)
  async linksDied(died: DeadLinkFacts, { id }: Delivery): Promise<void> {
    await this.accounts.deadLinkMails.record(died, id);
    this.deadLinkMailer.wake();
  }

  @Listens(contact.erased)
  messagesErased(account: ErasedAccount) {
    return this.#note('contact', account);
  }

  async #note(service: ErasingService, { uid, counts }: ErasedAccount): Promise<void> {
    await this.accounts.deletions.recordErased(service, uid, counts);
    this.deleter.wake();
  }
}
