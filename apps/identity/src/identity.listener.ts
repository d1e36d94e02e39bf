import { contact, creators, type ErasedAccount, media, offerings } from '@stoa/contracts';
import { Listens } from '@stoa/messaging';
import { Injectable } from '@nestjs/common';
import { AccountDeleter } from './account-deleter.ts';
import type { ErasingService } from './account-deletions.repository.ts';
import { IdentityRepository } from './identity.repository.ts';

/** Hears what each service has let go of. Said twice it changes nothing. */
@Injectable()
export class IdentityListener {
  constructor(
    private readonly accounts: IdentityRepository,
    private readonly deleter: AccountDeleter,
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

  @Listens(contact.erased)
  messagesErased(account: ErasedAccount) {
    return this.#note('contact', account);
  }

  async #note(service: ErasingService, { uid, counts }: ErasedAccount): Promise<void> {
    await this.accounts.deletions.recordErased(service, uid, counts);
    this.deleter.wake();
  }
}
